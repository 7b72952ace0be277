// The root of an increasing function of one number.
#pragma once

#include <functional>

namespace acevec {

// The root in low .. high of `function`, which increases and may be infinite towards the ends, not
// NaN. Starts at `guess`, as if the slope there were `slope`; from then on secants, kept between
// the nearest points known on either side by bisection. Ends when |function| ≤ tolerance, or when
// rounding lets it come no nearer. Never more than 200 evaluations; about 6 when the function is
// nearly straight. Near an end of the interval when the root is outside. The last evaluation is at
// the number returned, so that what `function` leaves behind belongs to it.
double increasing_root(const std::function<double(double)>& function, double low, double high,
                       double guess, double slope, double tolerance);

}  // namespace acevec
