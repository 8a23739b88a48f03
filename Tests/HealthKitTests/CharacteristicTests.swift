import HealthKit
import Testing

@Suite struct CharacteristicTests {
  private let birth = DateComponents(year: 1990, month: 2, day: 28)

  private func code(_ body: () throws -> Void) -> HKError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? HKError)?.code
    }
  }

  @Test func `characteristics read as not set until they are set`() throws {
    let store = HKHealthStore.inMemory()
    #expect(try store.biologicalSex().biologicalSex == .notSet)
    #expect(try store.bloodType().bloodType == .notSet)
    #expect(try store.fitzpatrickSkinType().skinType == .notSet)
    #expect(try store.wheelchairUse().wheelchairUse == .notSet)
    #expect(try store.activityMoveMode().activityMoveMode == .activeEnergy)
  }

  @Test func `reading a date of birth that is not set throws errorNoData`() {
    let store = HKHealthStore.inMemory()
    #expect(code { _ = try store.dateOfBirthComponents() } == .errorNoData)
  }

  @available(*, deprecated)
  @Test func `the deprecated date of birth is the midnight of the day`() async throws {
    let store = HKHealthStore.inMemory()
    #expect(code { _ = try store.dateOfBirth() } == .errorNoData)
    try await store.setDateOfBirth(birth)
    let expected = Calendar(identifier: .gregorian).date(from: birth)
    #expect(try store.dateOfBirth() == expected)
  }

  @Test func `characteristics are read back, and after the store is reopened`() async throws {
    let directory = TemporaryDirectory()
    let store = try HKHealthStore(directory: directory.url)
    try await store.setDateOfBirth(birth)
    try await store.setBiologicalSex(.female)
    try await store.setBloodType(.abNegative)
    try await store.setFitzpatrickSkinType(.III)
    try await store.setWheelchairUse(.yes)
    try await store.setActivityMoveMode(.appleMoveTime)
    try await store.save(beat(60))
    try await store.compact()
    try await store.close()
    let again = try HKHealthStore(directory: directory.url)
    let read = try again.dateOfBirthComponents()
    #expect([read.year, read.month, read.day] == [1990, 2, 28])
    #expect(read.calendar?.identifier == .gregorian)
    #expect(try again.biologicalSex().biologicalSex == .female)
    #expect(try again.bloodType().bloodType == .abNegative)
    #expect(try again.fitzpatrickSkinType().skinType == .III)
    #expect(try again.wheelchairUse().wheelchairUse == .yes)
    #expect(try again.activityMoveMode().activityMoveMode == .appleMoveTime)
  }

  @Test func `a removed characteristic reads as not set`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.setDateOfBirth(birth)
    try await store.setBloodType(.oPositive)
    try await store.setActivityMoveMode(.appleMoveTime)
    try await store.setDateOfBirth(nil)
    try await store.setBloodType(.notSet)
    try await store.setActivityMoveMode(nil)
    #expect(code { _ = try store.dateOfBirthComponents() } == .errorNoData)
    #expect(try store.bloodType().bloodType == .notSet)
    #expect(try store.activityMoveMode().activityMoveMode == .activeEnergy)
  }

  @Test func `each person has their own characteristics`() async throws {
    let directory = TemporaryDirectory()
    let ada = try HKHealthStore(directory: directory.url, subject: "ada")
    let bob = try HKHealthStore(directory: directory.url, subject: "bob")
    try await ada.setBiologicalSex(.female)
    #expect(try bob.biologicalSex().biologicalSex == .notSet)
    try await bob.setBiologicalSex(.male)
    #expect(try ada.biologicalSex().biologicalSex == .female)
  }

  @Test func `a date of birth may be given in another calendar`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.setDateOfBirth(
      DateComponents(calendar: Calendar(identifier: .buddhist), year: 2533, month: 2, day: 28))
    #expect(try store.dateOfBirthComponents().year == 1990)
  }

  @Test(arguments: [
    DateComponents(year: 1990, month: 2, day: 29), DateComponents(year: 1990, month: 2),
    DateComponents(),
  ])
  func `an invalid date of birth is refused`(_ components: DateComponents) async throws {
    let store = HKHealthStore.inMemory()
    do {
      try await store.setDateOfBirth(components)
      Issue.record("the date was accepted")
    } catch let error as HKError {
      #expect(error.code == .errorInvalidArgument)
    }
  }

  @Test func `a closed store throws`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.setBloodType(.oPositive)
    try await store.close()
    #expect(code { _ = try store.bloodType() } == .errorDatabaseInaccessible)
  }

  @Test func `queries and feeds do not return characteristics`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(beat(60))
    let seen = try await store.anchored(heartRate, anchor: nil)
    try await store.setBloodType(.oPositive)
    let after = try await store.anchored(heartRate, anchor: seen.anchor)
    #expect(after.samples == [])
    #expect(after.deleted == [])
  }
}
