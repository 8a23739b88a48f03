/// The stream as uploads of many people.
///
/// Each upload has 500 neighbouring samples of one person. Each round has another random order of
/// people. One upload in twenty is delayed until a month of the stream has passed, or until the
/// end.
struct UploadedSamples {
  static let length = 500
  private static let monthOfUploads = 30 * LoadOrder.samplesPerDay / length

  private var stream = SampleStream()
  private var remaining: Int
  private var random = SplitMix(seed: 0x5550_4C4F_4144)
  /// The people who have not uploaded in this round, in reverse order.
  private var waiting: [UInt32] = []
  private let subjects: Int
  private var number = 0
  private var held: [(due: Int, samples: [StreamSample])] = []
  private var firstHeld = 0
  private var ready: [StreamSample] = []
  private var position = 0

  init(count: Int, subjects: Int) {
    remaining = count
    self.subjects = subjects
  }

  /// Returns the next samples.
  ///
  /// The caller must not request more than there are.
  mutating func next(_ count: Int) -> [StreamSample] {
    var samples: [StreamSample] = []
    while samples.count < count {
      if position == ready.count {
        ready = nextUpload()
        position = 0
        if ready.isEmpty { break }
      }
      let taken = min(count - samples.count, ready.count - position)
      samples += ready[position..<position + taken]
      position += taken
    }
    return samples
  }

  private mutating func nextUpload() -> [StreamSample] {
    while true {
      if firstHeld < held.count, held[firstHeld].due <= number || remaining == 0 {
        defer { held[firstHeld - 1].samples = [] }
        firstHeld += 1
        return held[firstHeld - 1].samples
      }
      if remaining == 0 { return [] }
      var samples = stream.next(min(Self.length, remaining))
      remaining -= samples.count
      number += 1
      let subject = nextSubject()
      for index in samples.indices { samples[index].subject = subject }
      guard random.next().isMultiple(of: 20) else { return samples }
      held.append((number + Self.monthOfUploads, samples))
    }
  }

  private mutating func nextSubject() -> UInt32 {
    if waiting.isEmpty {
      waiting = (0..<subjects).map { UInt32($0) }
      for index in waiting.indices.reversed() {
        waiting.swapAt(index, Int(random.next() % UInt64(index + 1)))
      }
    }
    return waiting.removeLast()
  }
}
