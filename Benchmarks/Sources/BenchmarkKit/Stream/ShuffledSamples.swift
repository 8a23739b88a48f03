import Foundation

/// The stream's samples in random order, kept in a file because shuffling needs all of them.
///
/// The shuffle is a permutation of numbers (three rounds of a keyed mix, repeated until the result
/// is in range), so that no list of ten million positions is needed.
final class ShuffledSamples {
  private static let size = MemoryLayout<StreamSample>.stride
  private let count: Int
  private let bits: UInt64
  private let file: UnsafeMutableRawPointer
  private let length: Int

  init(count: Int, directory: String) throws {
    self.count = count
    var bits: UInt64 = 2
    while 1 << bits < UInt64(count) { bits += 2 }
    self.bits = bits
    length = count * Self.size
    let path = "\(directory)/healthstore-benchmark-shuffle"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    guard descriptor >= 0, ftruncate(descriptor, off_t(length)) == 0,
      let file = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      file != MAP_FAILED
    else { throw BenchmarkError.failed("cannot write \(path)") }
    self.file = file
    var stream = SampleStream()
    var position = 0
    while position < count {
      let samples = stream.next(min(10_000, count - position))
      samples.withUnsafeBytes {
        (file + position * Self.size).copyMemory(
          from: $0.baseAddress ?? UnsafeRawPointer(file), byteCount: samples.count * Self.size)
      }
      position += samples.count
    }
  }

  deinit { munmap(file, length) }

  /// Returns the samples from a position in the shuffled order.
  func next(from position: Int, _ wanted: Int) throws -> [StreamSample] {
    (position..<min(count, position + wanted)).map { position in
      file.load(fromByteOffset: index(position) * Self.size, as: StreamSample.self)
    }
  }

  /// The position in the stream of the sample at a shuffled position.
  private func index(_ position: Int) -> Int {
    let half = bits / 2
    let mask = UInt64(1) << half - 1
    var number = UInt64(position)
    repeat {
      for round in 1...3 {
        let left = number >> half
        let right = number & mask
        number = right << half | (left ^ SplitMix.mix(right &+ UInt64(round) << 48) & mask)
      }
    } while number >= UInt64(count)
    return Int(number)
  }
}
