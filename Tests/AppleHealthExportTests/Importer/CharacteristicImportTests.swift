import AppleHealthExport
import Foundation
import HealthStore
import Testing

@Suite struct CharacteristicImportTests {
  private let store = HKHealthStore.inMemory()

  private func importing(_ attributes: String) throws -> ImportSummary {
    try ExportImporter(into: store).run(ExportReader(MemoryInput(export("<Me \(attributes)/>"))))
  }

  private static let prefix = "HKCharacteristicTypeIdentifier"

  @Test func `the characteristics of an export are set`() throws {
    let summary = try importing(
      """
      \(Self.prefix)DateOfBirth="1990-02-28" \(Self.prefix)BiologicalSex="HKBiologicalSexFemale" \
      \(Self.prefix)BloodType="HKBloodTypeABNegative" \
      \(Self.prefix)FitzpatrickSkinType="HKFitzpatrickSkinTypeIV"
      """)
    #expect(summary.characteristics == 4)
    #expect(summary.unrepresented.isEmpty)
    let birth = try store.dateOfBirthComponents()
    #expect([birth.year, birth.month, birth.day] == [1990, 2, 28])
    #expect(try store.biologicalSex().biologicalSex == .female)
    #expect(try store.bloodType().bloodType == .abNegative)
    #expect(try store.fitzpatrickSkinType().skinType == .IV)
  }

  @Test func `every name of a value is recognised`() throws {
    let names: [(String, [String])] = [
      ("BiologicalSex", ["Female", "Male", "Other"]),
      (
        "BloodType",
        [
          "APositive", "ANegative", "BPositive", "BNegative", "ABPositive", "ABNegative",
          "OPositive", "ONegative",
        ]
      ),
      ("FitzpatrickSkinType", ["I", "II", "III", "IV", "V", "VI"]),
    ]
    for (characteristic, values) in names {
      for (index, value) in values.enumerated() {
        let name = "HK\(characteristic)\(value)"
        let summary = try importing("\(Self.prefix)\(characteristic)=\"\(name)\"")
        #expect(summary.characteristics == 1)
        let read =
          switch characteristic {
          case "BiologicalSex": try store.biologicalSex().biologicalSex.rawValue
          case "BloodType": try store.bloodType().bloodType.rawValue
          default: try store.fitzpatrickSkinType().skinType.rawValue
          }
        #expect(read == index + 1, "\(value)")
      }
    }
  }

  @Test func `characteristics absent from the export keep their stored values`() async throws {
    try await store.setBloodType(.oPositive)
    let summary = try importing(
      """
      \(Self.prefix)BloodType="HKBloodTypeNotSet" \(Self.prefix)DateOfBirth="" \
      \(Self.prefix)BiologicalSex="HKBiologicalSexNotSet"
      """)
    #expect(summary.characteristics == 0)
    #expect(summary.unrepresented.isEmpty)
    #expect(try store.bloodType().bloodType == .oPositive)
  }

  @Test func `unsupported characteristics are counted and named`() throws {
    let summary = try importing(
      #"HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None""#)
    #expect(summary.characteristics == 0 && summary.broken == nil)
    #expect(summary.unrepresented.mapValues(\.count) == ["characteristics": 1])
  }

  @Test(arguments: [
    #"HKCharacteristicTypeIdentifierDateOfBirth="1990-02-30""#,
    #"HKCharacteristicTypeIdentifierDateOfBirth="yesterday""#,
    #"HKCharacteristicTypeIdentifierBloodType="HKBloodTypeGreen""#,
    #"HKCharacteristicTypeIdentifierBloodType="HKBiologicalSexMale""#,
  ])
  func `an invalid value is reported`(attribute: String) throws {
    let summary = try importing(attribute)
    #expect(summary.characteristics == 0 && summary.broken?.count == 1)
  }

  @Test func `importing again changes nothing`() throws {
    let attributes = #"\#(Self.prefix)BloodType="HKBloodTypeOPositive""#
    _ = try importing(attributes)
    #expect(try importing(attributes).characteristics == 1)
    #expect(try store.bloodType().bloodType == .oPositive)
  }
}
