import Foundation
import HealthStore

/// The subject's characteristics in an export, to the extent that a store can represent them.
struct ExportCharacteristics {
  private var dateOfBirth: DateComponents?
  private var numbers: [HKCharacteristicTypeIdentifier: Int] = [:]

  var count: Int { numbers.count + (dateOfBirth == nil ? 0 : 1) }

  /// Adds the attributes of `Me`; a later value replaces an earlier one.
  ///
  /// - Returns: The number of attributes that a store cannot represent, and the problems of the
  ///   others.
  mutating func take(_ entries: [ExportEntry]) -> (left: Int, problems: [ImportProblem]) {
    var left = 0
    var problems: [ImportProblem] = []
    for entry in entries where !entry.value.isEmpty && !entry.value.hasSuffix("NotSet") {
      let characteristic = HKCharacteristicTypeIdentifier(rawValue: entry.key)
      if characteristic == .dateOfBirth, let day = Self.day(entry.value) {
        dateOfBirth = day
      } else if let number = Self.number(entry.value, of: characteristic) {
        numbers[characteristic] = number
      } else if characteristic == .dateOfBirth || Self.names(of: characteristic) != nil {
        problems.append(.unknownValue(type: entry.key, value: entry.value))
      } else {
        left += 1
      }
    }
    return (left, problems)
  }

  /// Saves all characteristics atomically.
  ///
  /// - Throws: An error of the store.
  func save(to store: HKHealthStore) throws {
    if count > 0 { try store.importCharacteristics(dateOfBirth: dateOfBirth, numbers) }
  }

  /// Returns the names of an enumeration's values without their prefix, starting at raw value 1.
  private static func names(
    of characteristic: HKCharacteristicTypeIdentifier
  ) -> (prefix: String, names: [String])? {
    switch characteristic {
    case .biologicalSex: ("HKBiologicalSex", ["Female", "Male", "Other"])
    case .bloodType:
      (
        "HKBloodType",
        [
          "APositive", "ANegative", "BPositive", "BNegative", "ABPositive", "ABNegative",
          "OPositive", "ONegative",
        ]
      )
    case .fitzpatrickSkinType: ("HKFitzpatrickSkinType", ["I", "II", "III", "IV", "V", "VI"])
    default: nil
    }
  }

  private static func number(
    _ text: String, of characteristic: HKCharacteristicTypeIdentifier
  ) -> Int? {
    guard let (prefix, names) = names(of: characteristic), text.hasPrefix(prefix) else {
      return nil
    }
    return names.firstIndex(of: String(text.dropFirst(prefix.count))).map { $0 + 1 }
  }

  /// Returns the attributes of `Me` for a store's subject; unset ones are empty or end with
  /// `NotSet`.
  ///
  /// - Throws: ``HKError`` if the store cannot be read.
  static func texts(of store: HKHealthStore) throws -> [String: String] {
    let numbers: [(HKCharacteristicTypeIdentifier, Int)] = [
      (.biologicalSex, try store.biologicalSex().biologicalSex.rawValue),
      (.bloodType, try store.bloodType().bloodType.rawValue),
      (.fitzpatrickSkinType, try store.fitzpatrickSkinType().skinType.rawValue),
    ]
    var texts = ["HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse": ""]
    for (characteristic, number) in numbers {
      guard let (prefix, names) = names(of: characteristic) else { continue }
      let isSet = names.indices.contains(number - 1)
      texts[characteristic.rawValue] = prefix + (isSet ? names[number - 1] : "NotSet")
    }
    texts[HKCharacteristicTypeIdentifier.dateOfBirth.rawValue] = ""
    do {
      let day = try store.dateOfBirthComponents()
      if let year = day.year, let month = day.month, let number = day.day {
        texts[HKCharacteristicTypeIdentifier.dateOfBirth.rawValue] = String(
          format: "%04d-%02d-%02d", year, month, number)
      }
    } catch HKError.errorNoData {
      // The date of birth is not set.
    }
    return texts
  }

  /// Parses a day such as `1990-02-28`; nil if it is invalid or the store cannot represent it.
  private static func day(_ text: String) -> DateComponents? {
    guard let day = ExportDateFormat.day(text) else { return nil }
    do {
      // A store accepts the same days for activity summaries and for dates of birth.
      try HKHealthStore.checkActivitySummary(HKActivitySummary(), of: day)
      return day
    } catch {
      return nil
    }
  }
}
