import BenchmarkKit

/// `healthstore-benchmark`: compares our store with those that a user would choose instead.
@main
enum Main {
  static func main() { BenchmarkCommand.main() }
}
