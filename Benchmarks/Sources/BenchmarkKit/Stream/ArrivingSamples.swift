/// The samples of one load in commit order, generated in chunks.
struct ArrivingSamples {
  private enum Origin {
    case stream(SampleStream)
    /// The part before the history: the last samples of the stream.
    case presence(SampleStream, remaining: Int)
    case shuffled(ShuffledSamples)
    case uploads(UploadedSamples)
  }

  private let loadOrder: LoadOrder
  private var origin: Origin
  private var sequence: UInt64 = 0

  init(_ loadOrder: LoadOrder, count: Int, directory: String) throws {
    self.loadOrder = loadOrder
    switch loadOrder.order {
    case .stream: origin = .stream(SampleStream())
    case .random: origin = .shuffled(try ShuffledSamples(count: count, directory: directory))
    case .uploads: origin = .uploads(UploadedSamples(count: count, subjects: loadOrder.subjects))
    case .historyLast:
      var stream = SampleStream()
      let history = LoadOrder.history(of: count)
      var skipped = 0
      while skipped < history { skipped += stream.next(min(10_000, history - skipped)).count }
      origin = .presence(stream, remaining: count - history)
    }
  }

  /// Returns the next samples.
  ///
  /// The caller must not request more than there are.
  mutating func next(_ count: Int) throws -> [StreamSample] {
    var samples: [StreamSample]
    switch origin {
    case .stream(var stream):
      samples = stream.next(count)
      origin = .stream(stream)
    case .uploads(var uploads):
      samples = uploads.next(count)
      origin = .uploads(uploads)
    case .shuffled(let shuffled):
      samples = try shuffled.next(from: Int(sequence), count)
    case .presence(var stream, let remaining):
      samples = stream.next(min(count, remaining))
      origin = .presence(stream, remaining: remaining - samples.count)
      if samples.count < count {
        // The rest is the beginning of the same stream.
        var past = SampleStream()
        samples += past.next(count - samples.count)
        origin = .stream(past)
      }
    }
    if loadOrder.order != .stream || loadOrder.subjects > 1 { adopt(&samples) }
    sequence += UInt64(samples.count)
    return samples
  }

  /// Numbers the samples in commit order and assigns subjects, except for uploads.
  private func adopt(_ samples: inout [StreamSample]) {
    var number = sequence
    for index in samples.indices {
      number += 1
      samples[index].sequence = number
      samples[index].identifier = StreamIdentifier(sequence: number)
      if loadOrder.order != .uploads { samples[index].subject = loadOrder.subject(of: number) }
    }
  }
}
