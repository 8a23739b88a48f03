import BenchmarkKit
import CAllocations

/// `healthstore-counts`: what a few small pieces of work cost, counted and not timed.
@main
enum Main {
  static func main() {
    CountsCommand.main {
      AllocationCounts(count: allocations_count(), bytes: allocations_bytes())
    }
  }
}
