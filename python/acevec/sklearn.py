"""acevec's encoders and classifiers as estimators of scikit-learn, for pipelines."""

from typing import Any

import numpy as np
from sklearn.base import (BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin,
                          TransformerMixin)
from sklearn.utils.validation import check_is_fitted

import acevec
from acevec._models import filled, is_many, listed, several_texts

# A note of each text would be too many; unknown words are normal in new texts.
QUIET = {"_quiet": ".* that the model (knows|does not know)"}


class Estimator(BaseEstimator):
    """options: of the function of acevec that trains."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return dict(self.options)

    def set_params(self, **options: Any) -> Any:
        self.options.update(options)
        return self


class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Names the columns of its results by get_feature_names_out."""

    _n_features_out = property(lambda self: self.model_.vector_size)


class SentenceTransformer(Transformer):
    """Texts to vectors. options: of acevec.sentence, such as init=model."""

    def fit(self, X: Any, y: Any = None) -> Any:
        texts = listed(filled(several_texts(X), "X"))  # lists, as none is a path
        self.model_: Any = acevec.sentence(texts, **self.options)
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.model_.encode(several_texts(X), **QUIET)


class MetricTransformer(Transformer):
    """Points to vectors in which classes are together. options: of acevec.metric."""

    def fit(self, X: Any, y: Any = None) -> Any:
        self.model_: Any = acevec.metric(X, y, **self.options)
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.model_.encode(X)


class SentenceClassifier(ClassifierMixin, Estimator):
    """Texts to one label each. options: of acevec.sentence, such as iter=5 or init=model."""

    def fit(self, X: Any, y: Any) -> Any:
        texts = listed(filled(several_texts(X), "X"))
        if any(map(is_many, y)):
            raise ValueError("y has lists of labels; give one label for each text")
        self.classes_ = np.unique(y)
        self.model_: Any = acevec.sentence(texts, labels=y, **self.options)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of `classes_`, a row for each text.

        Those of a text without a known word are a guess.
        """
        check_is_fitted(self)
        found: Any = map(dict, self.model_.predict(
            several_texts(X), top=len(self.classes_), **QUIET))
        rows = [[row.get(label, 0) for label in self.classes_.tolist()] for row in found]
        return np.reshape(np.array(rows, float), (-1, len(self.classes_)))

    def predict(self, X: Any) -> Any:
        best = self.predict_proba(X).argmax(1)
        return self.classes_[best]
