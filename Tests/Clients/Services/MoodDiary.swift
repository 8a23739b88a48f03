import HealthKit

// State of mind: predicates over valence and labels, and a diary that is an observable object.

struct DiaryEntry: Identifiable, Equatable, Sendable {
  let id: UUID
  let date: Date
  let valence: Double
  let labels: [HKStateOfMind.Label]
}

@MainActor
final class MoodDiary {
  private let store: HKHealthStore
  private(set) var entries: [DiaryEntry] = []
  private var task: Task<Void, Never>?

  init(store: HKHealthStore) { self.store = store }

  @discardableResult
  func add(
    _ valence: Double, kind: HKStateOfMind.Kind = .momentaryEmotion, at date: Date,
    labels: [HKStateOfMind.Label] = [], associations: [HKStateOfMind.Association] = []
  ) async throws -> UUID {
    let mind = HKStateOfMind(
      date: date, kind: kind, valence: valence, labels: labels, associations: associations,
      metadata: [HKMetadataKeyExternalUUID: UUID().uuidString])
    try await store.save(mind)
    return mind.uuid
  }

  func reload() async throws {
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.stateOfMind()],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)])
    entries = try await descriptor.result(for: store).map(Self.entry)
  }

  func low(below valence: Double) async throws -> [DiaryEntry] {
    let predicate = HKQuery.predicateForStatesOfMind(
      withValence: valence, operatorType: .lessThan)
    return try await find(predicate)
  }

  func find(label: HKStateOfMind.Label) async throws -> [DiaryEntry] {
    try await find(HKQuery.predicateForStatesOfMind(with: label))
  }

  func find(association: HKStateOfMind.Association) async throws -> [DiaryEntry] {
    try await find(HKQuery.predicateForStatesOfMind(with: association))
  }

  func find(kind: HKStateOfMind.Kind) async throws -> [DiaryEntry] {
    try await find(HKQuery.predicateForStatesOfMind(with: kind))
  }

  private func find(_ predicate: NSPredicate) async throws -> [DiaryEntry] {
    try await HKSampleQueryDescriptor(
      predicates: [.stateOfMind(predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store).map(Self.entry)
  }

  func remove(_ id: UUID) async throws {
    _ = try await store.deleteObjects(
      of: HKSampleType.stateOfMindType(), predicate: HKQuery.predicateForObject(with: id))
  }

  func follow() {
    task = Task {
      let descriptor = HKAnchoredObjectQueryDescriptor(predicates: [.stateOfMind()], anchor: nil)
      do {
        for try await change in descriptor.results(for: store) {
          let gone = Set(change.deletedObjects.map(\.uuid))
          entries.removeAll { gone.contains($0.id) }
          entries += change.addedSamples.map(Self.entry)
        }
      } catch {
        entries = []
      }
    }
  }

  func stop() {
    task?.cancel()
    task = nil
  }

  private static func entry(_ mind: HKStateOfMind) -> DiaryEntry {
    DiaryEntry(id: mind.uuid, date: mind.startDate, valence: mind.valence, labels: mind.labels)
  }
}
