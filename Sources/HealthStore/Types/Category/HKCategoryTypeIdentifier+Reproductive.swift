// Category type identifiers for reproductive health, followed by the table of their properties.

extension HKCategoryTypeIdentifier {
  /// Bleeding after menopause.
  public static let bleedingAfterMenopause =
    Self(rawValue: "HKCategoryTypeIdentifierBleedingAfterMenopause")

  /// Bleeding after a pregnancy.
  public static let bleedingAfterPregnancy =
    Self(rawValue: "HKCategoryTypeIdentifierBleedingAfterPregnancy")

  /// Bleeding during a pregnancy.
  public static let bleedingDuringPregnancy =
    Self(rawValue: "HKCategoryTypeIdentifierBleedingDuringPregnancy")

  /// The quality of the cervical mucus.
  public static let cervicalMucusQuality =
    Self(rawValue: "HKCategoryTypeIdentifierCervicalMucusQuality")

  /// The use of a contraceptive.
  public static let contraceptive = Self(rawValue: "HKCategoryTypeIdentifierContraceptive")

  /// A notification of infrequent menstrual cycles.
  public static let infrequentMenstrualCycles =
    Self(rawValue: "HKCategoryTypeIdentifierInfrequentMenstrualCycles")

  /// Bleeding between periods.
  public static let intermenstrualBleeding =
    Self(rawValue: "HKCategoryTypeIdentifierIntermenstrualBleeding")

  /// A notification of irregular menstrual cycles.
  public static let irregularMenstrualCycles =
    Self(rawValue: "HKCategoryTypeIdentifierIrregularMenstrualCycles")

  /// Lactation.
  public static let lactation = Self(rawValue: "HKCategoryTypeIdentifierLactation")

  /// The menopausal state at a date.
  public static let menopausalState = Self(rawValue: "HKCategoryTypeIdentifierMenopausalState")

  /// Menstrual flow.
  public static let menstrualFlow = Self(rawValue: "HKCategoryTypeIdentifierMenstrualFlow")

  /// The result of an ovulation test.
  public static let ovulationTestResult =
    Self(rawValue: "HKCategoryTypeIdentifierOvulationTestResult")

  /// A notification of persistent bleeding between periods.
  public static let persistentIntermenstrualBleeding =
    Self(rawValue: "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding")

  /// A pregnancy.
  public static let pregnancy = Self(rawValue: "HKCategoryTypeIdentifierPregnancy")

  /// The result of a pregnancy test.
  public static let pregnancyTestResult =
    Self(rawValue: "HKCategoryTypeIdentifierPregnancyTestResult")

  /// The result of a progesterone test.
  public static let progesteroneTestResult =
    Self(rawValue: "HKCategoryTypeIdentifierProgesteroneTestResult")

  /// A notification of prolonged periods.
  public static let prolongedMenstrualPeriods =
    Self(rawValue: "HKCategoryTypeIdentifierProlongedMenstrualPeriods")

  /// Sexual activity.
  public static let sexualActivity = Self(rawValue: "HKCategoryTypeIdentifierSexualActivity")
}

extension CategoryTypeRow {
  /// The table of types for reproductive health, sorted by name.
  static let reproductive: [CategoryTypeRow] = [
    CategoryTypeRow(.bleedingAfterMenopause, .vaginalBleeding),
    CategoryTypeRow(.bleedingAfterPregnancy, .vaginalBleeding),
    CategoryTypeRow(.bleedingDuringPregnancy, .vaginalBleeding),
    CategoryTypeRow(.cervicalMucusQuality, .cervicalMucus),
    CategoryTypeRow(.contraceptive, .contraceptive),
    CategoryTypeRow(.infrequentMenstrualCycles, .none),
    CategoryTypeRow(.intermenstrualBleeding, .none),
    CategoryTypeRow(.irregularMenstrualCycles, .none),
    CategoryTypeRow(.lactation, .none),
    CategoryTypeRow(.menopausalState, .menopausalState),
    CategoryTypeRow(.menstrualFlow, .menstrualFlow),
    CategoryTypeRow(.ovulationTestResult, .ovulationTest),
    CategoryTypeRow(.persistentIntermenstrualBleeding, .none),
    CategoryTypeRow(.pregnancy, .none),
    CategoryTypeRow(.pregnancyTestResult, .pregnancyTest),
    CategoryTypeRow(.progesteroneTestResult, .progesteroneTest),
    CategoryTypeRow(.prolongedMenstrualPeriods, .none),
    CategoryTypeRow(.sexualActivity, .none),
  ]
}
