// Quantity type identifiers for hearing, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The sound level of the surroundings; a sound pressure level, averaged as an equivalent
  /// continuous level.
  public static let environmentalAudioExposure =
    Self(rawValue: "HKQuantityTypeIdentifierEnvironmentalAudioExposure")

  /// The reduction of the surrounding sound; a sound pressure level, averaged as an equivalent
  /// continuous level.
  public static let environmentalSoundReduction =
    Self(rawValue: "HKQuantityTypeIdentifierEnvironmentalSoundReduction")

  /// The sound level of headphones; a sound pressure level, averaged as an equivalent continuous
  /// level.
  public static let headphoneAudioExposure =
    Self(rawValue: "HKQuantityTypeIdentifierHeadphoneAudioExposure")
}

extension QuantityTypeRow {
  /// The table of types for hearing, sorted by name.
  static let hearing: [QuantityTypeRow] = [
    QuantityTypeRow(.environmentalAudioExposure, "dBASPL", .discreteEquivalentContinuousLevel),
    QuantityTypeRow(.environmentalSoundReduction, "dBASPL", .discreteEquivalentContinuousLevel),
    QuantityTypeRow(.headphoneAudioExposure, "dBASPL", .discreteEquivalentContinuousLevel),
  ]
}
