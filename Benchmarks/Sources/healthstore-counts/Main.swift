import BenchmarkKit
import CAllocations

/// `healthstore-counts`: counts the costs of small tasks instead of timing them.
@main
enum Main {
  static func main() {
    allocations_begin()
    decoded_values_begin()
    CountsCommand.main {
      AllocationCounts(
        count: allocations_count(), bytes: allocations_bytes(), values: decoded_values())
    }
  }
}
