import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Settings of another version, and the limits of their values.
@Suite struct SubjectSettingsTests {
  private let database: Database
  private let store: HKHealthStore

  init() throws {
    database = try Database(path: "/settings", fileSystem: MemoryFileSystem())
    store = HKHealthStore(database: database, subject: "ada")
  }

  private func key(_ name: String) -> [UInt8] {
    Array("person/".utf8) + [3] + Array("ada".utf8) + Array(name.utf8)
  }

  private func isUnreadable(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return false
    } catch {
      return (error as? HKError)?.code == .errorDatabaseInaccessible
    }
  }

  @Test(arguments: [[2, 1], [1], [1, 1, 2, 3, 4, 5, 6, 7], [1, 99, 0, 0, 0, 0, 0, 0, 0]])
  func `an invalid value is an error`(value: [UInt8]) async throws {
    try database.set([(key(HKCharacteristicTypeIdentifier.bloodType.rawValue), value)])
    #expect(await isUnreadable { _ = try store.bloodType() })
    try await store.setBloodType(.oPositive)
    #expect(try store.bloodType().bloodType == .oPositive)
  }

  @Test(arguments: [[1] + Array("parsecs".utf8), [1] + Array("m".utf8), [1, 0xFF], [7, 103]])
  func `an invalid unit is an error`(value: [UInt8]) async throws {
    let mass = HKQuantityType(.bodyMass)
    try database.set([(key("unit/\(mass.identifier)"), value)])
    #expect(await isUnreadable { _ = try await store.preferredUnits(for: [mass]) })
  }

  @Test func `people whose names have a common prefix share nothing`() async throws {
    let names = [
      "a", "ad", "ada", "adaHKCharacteristicTypeIdentifierBloodType", "", "é", "e\u{301}",
    ]
    let stores = names.map { HKHealthStore(database: database, subject: $0) }
    for (index, store) in stores.enumerated() {
      try await store.setBloodType(try #require(HKBloodType(rawValue: index + 1)))
    }
    for (index, store) in stores.enumerated() {
      #expect(try store.bloodType().bloodType.rawValue == index + 1)
    }
  }

  @Test func `a subject of the maximum length has characteristics`() async throws {
    let long = HKHealthStore(
      database: database, subject: String(repeating: "n", count: 65_535))
    try await long.setBloodType(.abPositive)
    #expect(try long.bloodType().bloodType == .abPositive)
  }

  @Test func `dates of birth of any year are read back`() async throws {
    for year in [1, 1582, 1850, 1970, 2026, 9999] {
      try await store.setDateOfBirth(DateComponents(year: year, month: 10, day: 4))
      let read = try store.dateOfBirthComponents()
      #expect([read.year, read.month, read.day] == [year, 10, 4])
    }
  }
}
