// Category type identifiers for sleep, habits and notices, followed by the table of their
// properties.

extension HKCategoryTypeIdentifier {
  /// Whether the user stood in an hour.
  public static let appleStandHour = Self(rawValue: "HKCategoryTypeIdentifierAppleStandHour")

  /// A notification of unsteady gait.
  public static let appleWalkingSteadinessEvent =
    Self(rawValue: "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent")

  /// The old name of ``environmentalAudioExposureEvent``, with the same identifier.
  public static let audioExposureEvent =
    Self(rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")

  /// A notification of loud surroundings.
  public static let environmentalAudioExposureEvent =
    Self(rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")

  /// Handwashing.
  public static let handwashingEvent = Self(rawValue: "HKCategoryTypeIdentifierHandwashingEvent")

  /// A notification of loud headphones.
  public static let headphoneAudioExposureEvent =
    Self(rawValue: "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent")

  /// A notification of a high heart rate.
  public static let highHeartRateEvent =
    Self(rawValue: "HKCategoryTypeIdentifierHighHeartRateEvent")

  /// A notification of hypertension.
  public static let hypertensionEvent = Self(rawValue: "HKCategoryTypeIdentifierHypertensionEvent")

  /// A notification of an irregular heart rhythm.
  public static let irregularHeartRhythmEvent =
    Self(rawValue: "HKCategoryTypeIdentifierIrregularHeartRhythmEvent")

  /// A notification of low cardio fitness.
  public static let lowCardioFitnessEvent =
    Self(rawValue: "HKCategoryTypeIdentifierLowCardioFitnessEvent")

  /// A notification of a low heart rate.
  public static let lowHeartRateEvent = Self(rawValue: "HKCategoryTypeIdentifierLowHeartRateEvent")

  /// A mindfulness session.
  public static let mindfulSession = Self(rawValue: "HKCategoryTypeIdentifierMindfulSession")

  /// Time in bed, awake, or in a stage of sleep.
  public static let sleepAnalysis = Self(rawValue: "HKCategoryTypeIdentifierSleepAnalysis")

  /// A notification of sleep apnoea.
  public static let sleepApneaEvent = Self(rawValue: "HKCategoryTypeIdentifierSleepApneaEvent")

  /// Toothbrushing.
  public static let toothbrushingEvent =
    Self(rawValue: "HKCategoryTypeIdentifierToothbrushingEvent")
}

extension CategoryTypeRow {
  /// The table of types for sleep, habits and notices, sorted by name.
  static let events: [CategoryTypeRow] = [
    CategoryTypeRow(.appleStandHour, .standHour),
    CategoryTypeRow(.appleWalkingSteadinessEvent, .walkingSteadiness),
    CategoryTypeRow(.environmentalAudioExposureEvent, .environmentalAudioExposure),
    CategoryTypeRow(.handwashingEvent, .none),
    CategoryTypeRow(.headphoneAudioExposureEvent, .headphoneAudioExposure),
    CategoryTypeRow(.highHeartRateEvent, .none),
    CategoryTypeRow(.hypertensionEvent, .none),
    CategoryTypeRow(.irregularHeartRhythmEvent, .none),
    CategoryTypeRow(.lowCardioFitnessEvent, .lowCardioFitness),
    CategoryTypeRow(.lowHeartRateEvent, .none),
    CategoryTypeRow(.mindfulSession, .none),
    CategoryTypeRow(.sleepAnalysis, .sleepAnalysis),
    CategoryTypeRow(.sleepApneaEvent, .none),
    CategoryTypeRow(.toothbrushingEvent, .none),
  ]
}
