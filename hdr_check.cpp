#include <araia/dispatch/cuda_csr_panels.hpp>
