/// The ten kinds of sample the stream emits.
package enum StreamType: UInt8, CaseIterable, Sendable {
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
