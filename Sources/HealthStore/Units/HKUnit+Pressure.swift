// Units of pressure and sound.

extension HKUnit {
  /// Returns the pascal.
  public static func pascal() -> HKUnit { pascalUnit }

  /// Returns the pascal with a metric prefix.
  public static func pascalUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("Pa", prefix)
  }

  /// Returns the millimetre of mercury, 133.322387415 pascals.
  public static func millimeterOfMercury() -> HKUnit { millimeterOfMercuryUnit }

  /// Returns the inch of mercury, 3,386.38816 pascals.
  public static func inchesOfMercury() -> HKUnit { inchesOfMercuryUnit }

  /// Returns the centimetre of water, 98.0665 pascals.
  public static func centimeterOfWater() -> HKUnit { centimeterOfWaterUnit }

  /// Returns the atmosphere of 101,325 pascals.
  public static func atmosphere() -> HKUnit { atmosphereUnit }

  /// Returns the A-weighted decibel above 20 micropascals; a logarithmic unit of pressure.
  public static func decibelAWeightedSoundPressureLevel() -> HKUnit {
    decibelAWeightedSoundPressureLevelUnit
  }

  /// Returns the decibel of hearing level.
  public static func decibelHearingLevel() -> HKUnit { decibelHearingLevelUnit }
}

extension HKUnit {
  private static let pascalUnit = HKUnit(from: "Pa")
  private static let millimeterOfMercuryUnit = HKUnit(from: "mmHg")
  private static let inchesOfMercuryUnit = HKUnit(from: "inHg")
  private static let centimeterOfWaterUnit = HKUnit(from: "cmAq")
  private static let atmosphereUnit = HKUnit(from: "atm")
  private static let decibelAWeightedSoundPressureLevelUnit = HKUnit(from: "dBASPL")
  private static let decibelHearingLevelUnit = HKUnit(from: "dBHL")
}
