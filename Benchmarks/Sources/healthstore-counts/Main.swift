import BenchmarkKit
import CAllocations

/// `healthstore-counts`: counts the costs of small tasks instead of timing them.
@main
enum Main {
  static func main() {
    CountsCommand.main {
      AllocationCounts(count: allocations_count(), bytes: allocations_bytes())
    }
  }
}
