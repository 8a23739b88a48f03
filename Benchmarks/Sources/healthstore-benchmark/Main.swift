import BenchmarkKit

/// `healthstore-benchmark`: what a user would pick instead of our store, measured beside it.
@main
enum Main {
  static func main() { BenchmarkCommand.main() }
}
