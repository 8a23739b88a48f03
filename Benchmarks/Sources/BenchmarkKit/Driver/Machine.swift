import Foundation

/// The machine that runs all stores, so that a reader can judge the figures.
struct Machine: Codable, Sendable {
  /// A bare sync of 4 KiB over a preallocated file, in microseconds: median and extremes.
  var syncMicroseconds: [Double]
  /// The bandwidth of copying memory, in gigabytes a second.
  var copyGigabytes: Double
  var processors: Int
  var system: String

  init(directory: String) throws {
    syncMicroseconds = try Self.sync(directory)
    copyGigabytes = Self.copy()
    processors = ProcessInfo.processInfo.activeProcessorCount
    system = ProcessInfo.processInfo.operatingSystemVersionString
  }

  var summary: String {
    let sync = syncMicroseconds.map { "\(Int($0.rounded()))" }
    return "\(processors) processors; a bare sync of 4 KiB takes \(sync[1]) µs "
      + "(\(sync[0])…\(sync[2])); memory is copied at \(copyGigabytes.rounded(toPlaces: 1)) GB/s"
  }

  /// The 10th percentile, the median and the 90th percentile of a hundred syncs.
  static func sync(_ directory: String) throws -> [Double] {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let path = "\(directory)/healthstore-benchmark-probe"
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    let page = [UInt8](repeating: 7, count: 4096)
    guard descriptor >= 0 else { throw BenchmarkError.failed("cannot write \(path)") }
    for number in 0..<100 { _ = pwrite(descriptor, page, page.count, off_t(number * 4096)) }
    fsync(descriptor)
    let times = (0..<100).map { number in
      let watch = Stopwatch()
      _ = pwrite(descriptor, page, page.count, off_t(number * 4096))
      #if canImport(Darwin)
        fsync(descriptor)
      #else
        fdatasync(descriptor)
      #endif
      return watch.seconds * 1e6
    }
    return [times.percentile(0.1), times.percentile(0.5), times.percentile(0.9)]
  }

  private static func copy() -> Double {
    let size = 64 << 20
    let from = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    let to = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    defer {
      from.deallocate()
      to.deallocate()
    }
    memset(from, 1, size)
    memset(to, 2, size)
    let rates = (0..<5).map { _ in
      let watch = Stopwatch()
      to.copyMemory(from: from, byteCount: size)
      return Double(size) / watch.seconds / 1e9
    }
    return rates.percentile(0.5)
  }

  /// The nanoseconds per read of 64 MB in random order, with several reads in flight.
  ///
  /// On a shared machine this may vary by half from one second to the next, and look-ups in memory
  /// vary with it.
  static func readInNoOrder() -> Double {
    let words = (64 << 20) / MemoryLayout<UInt64>.stride
    let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    defer { memory.deallocate() }
    for word in 0..<words { memory[word] = UInt64(word) | 1 }
    var random: UInt64 = 1
    var sum: UInt64 = 0
    let times = (0..<5).map { _ in
      let watch = Stopwatch()
      for _ in 0..<200_000 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        sum &+= memory[Int(random >> 33) % words]
      }
      return watch.seconds * 1e9 / 200_000
    }
    // Uses the result, so that the reads cannot be optimised away.
    return sum == random ? 0 : times.percentile(0.5)
  }

  /// The peak memory of this process, in bytes.
  static func peakMemory() -> Int {
    if let kilobytes = status("VmHWM:") { return kilobytes << 10 }
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss)
    #else
      return 0
    #endif
  }

  /// The number of threads of this process, or nil if the system does not report it.
  static func threadCount() -> Int? { status("Threads:") }

  /// A number that Linux reports about this process.
  private static func status(_ field: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
      let number = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    else { return nil }
    return Int(number)
  }
}
