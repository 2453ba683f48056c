#include "Nova/Training/Data.h"
#include "mlir/IR/Value.h"
#include <llvm/Support/Error.h>
#include "Absent.h"
#include "Nova/Support/Half.h"
#include <vector>
