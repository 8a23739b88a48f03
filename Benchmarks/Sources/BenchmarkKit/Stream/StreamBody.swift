/// The state of the body from which the stream's measurements are derived.
struct StreamBody {
  private var heartRate: Int32 = 60
  /// Tenths of a milligram per decilitre.
  private var glucose: Int32 = 1100
  /// Tenths of a kilogram.
  private var mass: Int32 = 745
  private var steps: Int32 = 0

  /// Measures one value, without the number, identifier, device and metadata.
  @inline(__always)
  mutating func measure(
    _ type: StreamType, at time: Int64, tickOfDay: Int, _ random: UInt64, pick: UInt64
  ) -> StreamSample {
    let low = UInt32(truncatingIfNeeded: random)
    let high = UInt32(truncatingIfNeeded: random >> 32)
    let isDay = tickOfDay >= 5040 && tickOfDay < 16_200
    let isWorkout = tickOfDay >= 12_960 && tickOfDay < 13_500
    var sample = StreamSample()
    sample.type = type.rawValue
    sample.unit = type.rawValue
    sample.start = time
    var duration: Int64 = 0
    switch type {
    case .heartRate:
      let target: Int32 = tickOfDay < 5040 ? 55 : isWorkout ? 150 : 75
      let change = Int32(low % 7) - 3 + (target - heartRate) / 16
      heartRate = min(max(heartRate + change, 45), 180)
      sample.value = Double(heartRate)
      sample.start += Int64(high % 1000)
    case .steps:
      if isWorkout {
        steps = 140 + Int32(low % 30)
      } else {
        steps = isDay && low % 10 >= 6 ? 1 + Int32((low >> 8) % 120) : 0
      }
      sample.value = Double(steps)
      duration = 60_000
      sample.source = pick % 8 < 6 ? 0 : 1
    case .activeEnergy:
      sample.value = Double(isDay ? 200 + low % 4800 : low % 300) / 1000
      duration = 60_000
    case .distance:
      sample.value = Double(steps > 0 ? steps * 70 + Int32(high % 50) : 0) / 100
      duration = 60_000
      sample.source = pick % 8 < 6 ? 0 : 1
    case .heartRateVariability:
      sample.value = Double(2000 + low % 10_000) / 100
      sample.start += Int64(high % 5000)
      duration = 60_000
    case .oxygenSaturation:
      sample.value = Double(94 + low % 7) / 100
      sample.start += Int64(high % 5000)
    case .glucose:
      let change = Int32(low % 61) - 30 + (1200 - glucose) / 32
      glucose = min(max(glucose + change, 700), 2500)
      sample.value = Double(glucose) / 10
      sample.start += Int64(high % 5000)
      sample.source = 2
    case .sleep:
      sample.value = Double(low % 6)
      duration = 1_200_000
    case .bodyMass:
      mass = min(max(mass + Int32(low % 5) - 2, 600), 900)
      sample.value = Double(mass) / 10
      sample.source = 3
    case .workout:
      let minutes = 20 + low % 60
      sample.value = Double(minutes)
      duration = Int64(minutes) * 60_000
      sample.source = UInt8(pick % 2)
    }
    sample.end = sample.start + duration
    return sample
  }
}
