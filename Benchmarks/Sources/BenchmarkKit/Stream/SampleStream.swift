/// An infinite stream of a person's health samples, the same on every machine.
///
/// A tick is five seconds long. Every tick has a heart rate, and the other types are less frequent.
/// One sample in a hundred arrives up to three days late, and one in five has metadata. All
/// arithmetic is on integers except one division by a power of ten, so values are exact.
struct SampleStream: Sequence, IteratorProtocol {
  /// The first tick, 2023-01-01T00:00:00Z, in milliseconds since 1970.
  static let epoch: Int64 = 1_672_531_200_000
  static let millisecondsPerDay: Int64 = 86_400_000

  /// The samples of whole days, with the first of the stream included.
  static let allDays = epoch..<epoch + 100_000 * millisecondsPerDay
  static let firstYear = epoch..<epoch + 365 * millisecondsPerDay

  static let ticksPerDay = 17_280
  private static let ready = 512

  private var random = SplitMix(seed: 0x4845_414C_5448)
  private var body = StreamBody()
  private var held = HeldSamples()
  private var day = 0
  private var tickOfDay = 0
  private var sequence: UInt64 = 0
  private var queue: [StreamSample] = []
  private var position = 0

  init() {
    queue.reserveCapacity(Self.ready * 2)
  }

  /// Returns the next sample.
  ///
  /// The stream is infinite.
  @inline(__always)
  mutating func next() -> StreamSample? {
    if position == queue.count { refill() }
    defer { position += 1 }
    return queue[position]
  }

  /// The next `count` samples.
  mutating func next(_ count: Int) -> [StreamSample] {
    var samples: [StreamSample] = []
    samples.reserveCapacity(count)
    while samples.count < count {
      if position == queue.count { refill() }
      let taken = Swift.min(count - samples.count, queue.count - position)
      samples.append(contentsOf: queue[position..<position + taken])
      position += taken
    }
    return samples
  }

  private mutating func refill() {
    queue.removeAll(keepingCapacity: true)
    position = 0
    while queue.count < Self.ready { tick() }
  }

  private mutating func tick() {
    while let sample = held.release() { emit(sample) }
    measure(.heartRate)
    // Every other type is due on multiples of twelve ticks.
    if tickOfDay.isMultiple(of: 12) { measureMinute() }
    held.advance()
    tickOfDay += 1
    if tickOfDay == Self.ticksPerDay {
      tickOfDay = 0
      day += 1
    }
  }

  private mutating func measureMinute() {
    measure(.steps)
    measure(.activeEnergy)
    measure(.distance)
    if tickOfDay.isMultiple(of: 360) { measure(.heartRateVariability) }
    if tickOfDay.isMultiple(of: 120) { measure(.oxygenSaturation) }
    if tickOfDay.isMultiple(of: 60) { measure(.glucose) }
    if tickOfDay.isMultiple(of: 240), tickOfDay < 5760 { measure(.sleep) }
    if tickOfDay == 5040 { measure(.bodyMass) }
    if tickOfDay == 12_960 { measure(.workout) }
  }

  @inline(__always)
  private mutating func measure(_ type: StreamType) {
    let first = random.next()
    let second = random.next()
    let time = Self.epoch + Int64(day * Self.ticksPerDay + tickOfDay) * 5000
    var sample = body.measure(type, at: time, tickOfDay: tickOfDay, first, pick: second >> 56)
    sample.device = sample.source * 2 + (day >= 200 ? 1 : 0)
    if (second >> 32 & 0xFF).isMultiple(of: 5) {
      let zone = (second >> 40 & 0xFF) % 3
      let detail = (second >> 48 & 0xFF) % (type == .heartRate ? 3 : 2)
      sample.metadata = UInt8(1 + zone * 3 + detail)
    }
    if (second & 0xFFFF).isMultiple(of: 100) {
      held.hold(sample, ticks: 1 + Int(second >> 16 & 0xFFFF) % HeldSamples.longestDelay)
    } else {
      emit(sample)
    }
  }

  @inline(__always)
  private mutating func emit(_ sample: StreamSample) {
    sequence += 1
    var sample = sample
    sample.sequence = sequence
    sample.identifier = StreamIdentifier(sequence: sequence)
    queue.append(sample)
  }
}
