// Quantity type identifiers for nutrition, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The biotin consumed; a mass, summed.
  public static let dietaryBiotin = Self(rawValue: "HKQuantityTypeIdentifierDietaryBiotin")

  /// The caffeine consumed; a mass, summed.
  public static let dietaryCaffeine = Self(rawValue: "HKQuantityTypeIdentifierDietaryCaffeine")

  /// The calcium consumed; a mass, summed.
  public static let dietaryCalcium = Self(rawValue: "HKQuantityTypeIdentifierDietaryCalcium")

  /// The carbohydrates consumed; a mass, summed.
  public static let dietaryCarbohydrates =
    Self(rawValue: "HKQuantityTypeIdentifierDietaryCarbohydrates")

  /// The chloride consumed; a mass, summed.
  public static let dietaryChloride = Self(rawValue: "HKQuantityTypeIdentifierDietaryChloride")

  /// The cholesterol consumed; a mass, summed.
  public static let dietaryCholesterol =
    Self(rawValue: "HKQuantityTypeIdentifierDietaryCholesterol")

  /// The chromium consumed; a mass, summed.
  public static let dietaryChromium = Self(rawValue: "HKQuantityTypeIdentifierDietaryChromium")

  /// The copper consumed; a mass, summed.
  public static let dietaryCopper = Self(rawValue: "HKQuantityTypeIdentifierDietaryCopper")

  /// The energy consumed; an energy, summed.
  public static let dietaryEnergyConsumed =
    Self(rawValue: "HKQuantityTypeIdentifierDietaryEnergyConsumed")

  /// The monounsaturated fat consumed; a mass, summed.
  public static let dietaryFatMonounsaturated =
    Self(rawValue: "HKQuantityTypeIdentifierDietaryFatMonounsaturated")

  /// The polyunsaturated fat consumed; a mass, summed.
  public static let dietaryFatPolyunsaturated =
    Self(rawValue: "HKQuantityTypeIdentifierDietaryFatPolyunsaturated")

  /// The saturated fat consumed; a mass, summed.
  public static let dietaryFatSaturated =
    Self(rawValue: "HKQuantityTypeIdentifierDietaryFatSaturated")

  /// The fat of all kinds consumed; a mass, summed.
  public static let dietaryFatTotal = Self(rawValue: "HKQuantityTypeIdentifierDietaryFatTotal")

  /// The fiber consumed; a mass, summed.
  public static let dietaryFiber = Self(rawValue: "HKQuantityTypeIdentifierDietaryFiber")

  /// The folate consumed; a mass, summed.
  public static let dietaryFolate = Self(rawValue: "HKQuantityTypeIdentifierDietaryFolate")

  /// The iodine consumed; a mass, summed.
  public static let dietaryIodine = Self(rawValue: "HKQuantityTypeIdentifierDietaryIodine")

  /// The iron consumed; a mass, summed.
  public static let dietaryIron = Self(rawValue: "HKQuantityTypeIdentifierDietaryIron")

  /// The magnesium consumed; a mass, summed.
  public static let dietaryMagnesium = Self(rawValue: "HKQuantityTypeIdentifierDietaryMagnesium")

  /// The manganese consumed; a mass, summed.
  public static let dietaryManganese = Self(rawValue: "HKQuantityTypeIdentifierDietaryManganese")

  /// The molybdenum consumed; a mass, summed.
  public static let dietaryMolybdenum = Self(rawValue: "HKQuantityTypeIdentifierDietaryMolybdenum")

  /// The niacin consumed; a mass, summed.
  public static let dietaryNiacin = Self(rawValue: "HKQuantityTypeIdentifierDietaryNiacin")

  /// The pantothenic acid consumed; a mass, summed.
  public static let dietaryPantothenicAcid =
    Self(rawValue: "HKQuantityTypeIdentifierDietaryPantothenicAcid")

  /// The phosphorus consumed; a mass, summed.
  public static let dietaryPhosphorus = Self(rawValue: "HKQuantityTypeIdentifierDietaryPhosphorus")

  /// The potassium consumed; a mass, summed.
  public static let dietaryPotassium = Self(rawValue: "HKQuantityTypeIdentifierDietaryPotassium")

  /// The protein consumed; a mass, summed.
  public static let dietaryProtein = Self(rawValue: "HKQuantityTypeIdentifierDietaryProtein")

  /// The riboflavin consumed; a mass, summed.
  public static let dietaryRiboflavin = Self(rawValue: "HKQuantityTypeIdentifierDietaryRiboflavin")

  /// The selenium consumed; a mass, summed.
  public static let dietarySelenium = Self(rawValue: "HKQuantityTypeIdentifierDietarySelenium")

  /// The sodium consumed; a mass, summed.
  public static let dietarySodium = Self(rawValue: "HKQuantityTypeIdentifierDietarySodium")

  /// The sugar consumed; a mass, summed.
  public static let dietarySugar = Self(rawValue: "HKQuantityTypeIdentifierDietarySugar")

  /// The thiamin consumed; a mass, summed.
  public static let dietaryThiamin = Self(rawValue: "HKQuantityTypeIdentifierDietaryThiamin")

  /// The vitamin A consumed; a mass, summed.
  public static let dietaryVitaminA = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminA")

  /// The vitamin B12 consumed; a mass, summed.
  public static let dietaryVitaminB12 = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminB12")

  /// The vitamin B6 consumed; a mass, summed.
  public static let dietaryVitaminB6 = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminB6")

  /// The vitamin C consumed; a mass, summed.
  public static let dietaryVitaminC = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminC")

  /// The vitamin D consumed; a mass, summed.
  public static let dietaryVitaminD = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminD")

  /// The vitamin E consumed; a mass, summed.
  public static let dietaryVitaminE = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminE")

  /// The vitamin K consumed; a mass, summed.
  public static let dietaryVitaminK = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminK")

  /// The water consumed; a volume, summed.
  public static let dietaryWater = Self(rawValue: "HKQuantityTypeIdentifierDietaryWater")

  /// The zinc consumed; a mass, summed.
  public static let dietaryZinc = Self(rawValue: "HKQuantityTypeIdentifierDietaryZinc")
}

extension QuantityTypeRow {
  /// The table of types for nutrition, sorted by name.
  static let nutrition: [QuantityTypeRow] = [
    QuantityTypeRow(.dietaryBiotin, "g", .cumulative),
    QuantityTypeRow(.dietaryCaffeine, "g", .cumulative),
    QuantityTypeRow(.dietaryCalcium, "g", .cumulative),
    QuantityTypeRow(.dietaryCarbohydrates, "g", .cumulative),
    QuantityTypeRow(.dietaryChloride, "g", .cumulative),
    QuantityTypeRow(.dietaryCholesterol, "g", .cumulative),
    QuantityTypeRow(.dietaryChromium, "g", .cumulative),
    QuantityTypeRow(.dietaryCopper, "g", .cumulative),
    QuantityTypeRow(.dietaryEnergyConsumed, "kcal", .cumulative),
    QuantityTypeRow(.dietaryFatMonounsaturated, "g", .cumulative),
    QuantityTypeRow(.dietaryFatPolyunsaturated, "g", .cumulative),
    QuantityTypeRow(.dietaryFatSaturated, "g", .cumulative),
    QuantityTypeRow(.dietaryFatTotal, "g", .cumulative),
    QuantityTypeRow(.dietaryFiber, "g", .cumulative),
    QuantityTypeRow(.dietaryFolate, "g", .cumulative),
    QuantityTypeRow(.dietaryIodine, "g", .cumulative),
    QuantityTypeRow(.dietaryIron, "g", .cumulative),
    QuantityTypeRow(.dietaryMagnesium, "g", .cumulative),
    QuantityTypeRow(.dietaryManganese, "g", .cumulative),
    QuantityTypeRow(.dietaryMolybdenum, "g", .cumulative),
    QuantityTypeRow(.dietaryNiacin, "g", .cumulative),
    QuantityTypeRow(.dietaryPantothenicAcid, "g", .cumulative),
    QuantityTypeRow(.dietaryPhosphorus, "g", .cumulative),
    QuantityTypeRow(.dietaryPotassium, "g", .cumulative),
    QuantityTypeRow(.dietaryProtein, "g", .cumulative),
    QuantityTypeRow(.dietaryRiboflavin, "g", .cumulative),
    QuantityTypeRow(.dietarySelenium, "g", .cumulative),
    QuantityTypeRow(.dietarySodium, "g", .cumulative),
    QuantityTypeRow(.dietarySugar, "g", .cumulative),
    QuantityTypeRow(.dietaryThiamin, "g", .cumulative),
    QuantityTypeRow(.dietaryVitaminA, "g", .cumulative),
    QuantityTypeRow(.dietaryVitaminB12, "g", .cumulative),
    QuantityTypeRow(.dietaryVitaminB6, "g", .cumulative),
    QuantityTypeRow(.dietaryVitaminC, "g", .cumulative),
    QuantityTypeRow(.dietaryVitaminD, "g", .cumulative),
    QuantityTypeRow(.dietaryVitaminE, "g", .cumulative),
    QuantityTypeRow(.dietaryVitaminK, "g", .cumulative),
    QuantityTypeRow(.dietaryWater, "mL", .cumulative),
    QuantityTypeRow(.dietaryZinc, "g", .cumulative),
  ]
}
