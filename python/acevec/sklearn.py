"""acevec's encoders as transformers of scikit-learn, for pipelines."""

from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

import acevec


class SentenceTransformer(TransformerMixin, BaseEstimator):
    """Texts to vectors. options: of acevec.sentence, such as init=model."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return dict(self.options)

    def set_params(self, **options: Any) -> Any:
        self.options.update(options)
        return self

    def fit(self, points: Any, labels: Any = None) -> Any:
        self.model_: Any = acevec.sentence(points, **self.options)
        return self

    def transform(self, points: Any) -> Any:
        check_is_fitted(self)
        return self.model_.encode(points)


class MetricTransformer(SentenceTransformer):
    """Points to vectors in which classes are together. options: of acevec.metric."""

    def fit(self, points: Any, labels: Any = None) -> Any:
        self.model_ = acevec.metric(points, labels, **self.options)
        return self
