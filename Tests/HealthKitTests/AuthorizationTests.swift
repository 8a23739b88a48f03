import HealthKit
import Testing

/// A program that has to request permission.
@Suite struct AuthorizationTests {
  private let store = HKHealthStore.inMemory()
  private let program = HKSource(name: "App", bundleIdentifier: "org.example.app")
  private let watch = HKSource(name: "Watch", bundleIdentifier: "org.example.watch")

  private func code(_ body: () async throws -> Void) async -> HKError.Code? {
    await #expect(throws: HKError.self) { try await body() }?.code
  }

  @Test func `without a policy everything is allowed and no prompt is shown`() async throws {
    #expect(store.authorization == nil)
    try await store.requestAuthorization(toShare: [steps], read: [heartRate])
    #expect(store.authorization == nil)
    #expect(store.authorizationStatus(for: steps) == .sharingAuthorized)
    #expect(store.authorizationStatus(for: HKCharacteristicType(.bloodType)) == .sharingDenied)
    try await store.save(beat(60))
    #expect(try await store.samples(heartRate).count == 1)
  }

  @Test func `saving and deleting need permission for every type`() async throws {
    store.authorization = AuthorizationPolicy(sharing: [heartRate: .granted, steps: .denied])
    let mass = HKQuantitySample(
      type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .gram(), doubleValue: 7e4),
      start: start, end: start)
    #expect(
      await code { try await store.save([beat(60), walk(5)]) } == .errorAuthorizationDenied)
    #expect(
      await code { try await store.save([beat(60), mass]) } == .errorAuthorizationNotDetermined)
    #expect(await code { try await store.delete(walk(5)) } == .errorAuthorizationDenied)
    #expect(
      await code {
        try await store.deleteObjects(of: mass.quantityType, predicate: .init(value: true))
      }
        == .errorAuthorizationNotDetermined)
    store.authorization = nil
    // The save is atomic: the heart rates were not saved either.
    #expect(try await store.samples(heartRate).isEmpty)
  }

  @Test func `a correlation can be saved if all its objects can be`() async throws {
    let types = [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
    let pressure = HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: start, end: start,
      objects: Set(
        types.map {
          HKQuantitySample(
            type: $0, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 100),
            start: start, end: start)
        }))
    store.authorization = AuthorizationPolicy(sharing: [types[0]: .granted, types[1]: .denied])
    #expect(await code { try await store.save(pressure) } == .errorAuthorizationDenied)
    store.authorization?.sharing[types[1]] = .granted
    try await store.save(pressure)
    #expect(store.authorizationStatus(for: pressure.correlationType) == .sharingAuthorized)
  }

  @Test func `saved samples have the policy's source`() async throws {
    store.authorization = AuthorizationPolicy(source: program, otherTypes: .granted)
    try await store.save(beat(60))
    let found = try #require(try await store.samples(heartRate).first)
    #expect(found.sourceRevision.source == program)
  }

  @Test func `with a policy a program deletes only its own objects`() async throws {
    let own = try minute(10, from: program, product: nil)
    let others = try minute(20, 60, from: watch, product: "Watch7,1")
    try await store.save([own, others])
    store.authorization = AuthorizationPolicy(source: program, otherTypes: .granted)
    #expect(await code { try await store.delete([own, others]) } == .errorAuthorizationDenied)
    let all = NSPredicate(value: true)
    #expect(try await store.deleteObjects(of: steps, predicate: all) == 1)
    #expect(try await store.samples(steps).map(\.uuid) == [others.uuid])
  }

  @Test func `a request asks about new types only, and the answer is recorded`() async throws {
    let asked = Requests()
    store.authorization = AuthorizationPolicy(reading: [steps: .denied]) { request in
      asked.add(request)
      return AuthorizationRequest(toShare: [], read: request.typesToRead)
    }
    func status() async throws -> HKAuthorizationRequestStatus {
      try await store.statusForAuthorizationRequest(toShare: [steps], read: [steps, heartRate])
    }
    #expect(try await status() == .shouldRequest)
    #expect(store.authorizationStatus(for: steps) == .notDetermined)
    try await store.requestAuthorization(toShare: [steps], read: [steps, heartRate])
    #expect(asked.all == [AuthorizationRequest(toShare: [steps], read: [heartRate])])
    #expect(store.authorization?.reading == [steps: .denied, heartRate: .granted])
    #expect(store.authorizationStatus(for: steps) == .sharingDenied)
    #expect(try await status() == .unnecessary)
    try await store.requestAuthorization(toShare: [steps], read: [steps, heartRate])
    #expect(asked.all.count == 1)
  }

  @Test func `without a handler every request is granted`() async throws {
    store.authorization = AuthorizationPolicy()
    #expect(
      await code { _ = try await store.samples(heartRate) } == .errorAuthorizationNotDetermined)
    try await store.requestAuthorization(toShare: [heartRate], read: [heartRate])
    try await store.save(beat(60))
    #expect(try await store.samples(heartRate).count == 1)
  }

  @Test func `a request that the person cancels reports the error and records nothing`() async {
    store.authorization = AuthorizationPolicy { _ in throw HKError(.errorUserCanceled) }
    #expect(
      await code { try await store.requestAuthorization(toShare: [], read: [heartRate]) }
        == .errorUserCanceled)
    #expect(store.authorization?.reading.isEmpty == true)
  }

  @Test func `a request with a correlation type is refused before it is shown`() async {
    let food = HKCorrelationType(.food)
    #expect(throws: HKAuthorizationRequestError.sharingNotAllowed(types: [food.identifier])) {
      try HKHealthStore.validateAuthorizationRequest(toShare: [food, steps], read: [food])
    }
    #expect(throws: HKAuthorizationRequestError.readingNotAllowed(types: [food.identifier])) {
      try HKHealthStore.validateAuthorizationRequest(toShare: [steps], read: [food])
    }
    let error = HKAuthorizationRequestError.readingNotAllowed(types: ["A", "B"])
    #expect(
      error.description
        == "Authorization to read A, B cannot be requested; request it for the types of the "
        + "contained samples.")
    #expect((error as NSError).code == HKError.Code.errorInvalidArgument.rawValue)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let food = HKCorrelationType(.food)
      try await HKHealthStore.inMemory().requestAuthorization(toShare: [food], read: [])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Authorization to share \(food.identifier) cannot be requested"))
    await #expect(processExitsWith: .failure) {
      let food = HKCorrelationType(.food)
      _ = try await HKHealthStore.inMemory().statusForAuthorizationRequest(
        toShare: [], read: [food])
    }
  }

  @Test func `a denied characteristic reads as not set`() async throws {
    try await store.setBloodType(.aPositive)
    try await store.setDateOfBirth(DateComponents(year: 1990, month: 3, day: 1))
    store.authorization = AuthorizationPolicy(reading: [
      HKCharacteristicType(.bloodType): .denied, HKCharacteristicType(.dateOfBirth): .denied,
    ])
    #expect(try store.bloodType().bloodType == .notSet)
    let denied = #expect(throws: HKError.self) { try store.dateOfBirthComponents() }
    #expect(denied?.code == .errorNoData)
    let unasked = #expect(throws: HKError.self) { try store.biologicalSex() }
    #expect(unasked?.code == .errorAuthorizationNotDetermined)
    store.authorization?.reading[HKCharacteristicType(.bloodType)] = .granted
    #expect(try store.bloodType().bloodType == .aPositive)
  }

  @Test func `the preferred unit of a denied type is the default one`()
    async throws
  {
    let mass = HKQuantityType(.bodyMass)
    try await store.setPreferredUnit(.pound(), for: mass)
    func unit() async throws -> HKUnit? { try await store.preferredUnits(for: [mass])[mass] }
    store.authorization = AuthorizationPolicy()
    #expect(await code { _ = try await unit() } == .errorAuthorizationNotDetermined)
    store.authorization?.reading[mass] = .denied
    #expect(try await unit() == .gramUnit(with: .kilo))
    store.authorization?.sharing[mass] = .granted
    #expect(try await unit() == .pound())
  }

  @Test func `each handle has a policy of its own`() throws {
    let directory = TemporaryDirectory()
    let database = try HealthDatabase(directory: directory.url)
    let first = database.store()
    first.authorization = AuthorizationPolicy()
    #expect(database.store().authorization == nil)
    try database.close()
  }
}

/// The requests passed to a handler.
private final class Requests: @unchecked Sendable {
  private let lock = NSLock()
  private var requests: [AuthorizationRequest] = []

  var all: [AuthorizationRequest] { lock.withLock { requests } }

  func add(_ request: AuthorizationRequest) { lock.withLock { requests.append(request) } }
}
