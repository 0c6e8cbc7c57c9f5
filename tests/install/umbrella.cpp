#include <isoscope/isoscope.h>

// It needs nothing before it, and twice is not too often.
#include <isoscope/isoscope.h>

int main() { return isoscope::find_level("serializable") ? 0 : 1; }
