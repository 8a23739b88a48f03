/// The ten kinds of sample the stream emits.
enum StreamType: UInt8, CaseIterable {
  case heartRate
  case steps
  case activeEnergy
  case distance
  case heartRateVariability
  case oxygenSaturation
  case glucose
  case sleep
  case bodyMass
  case workout
}
