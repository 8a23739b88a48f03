import HealthKit

// Anchored queries in batches, anchors archived under the type's identifier, and deletions.

protocol AnchorStorage: AnyObject {
  func data(forKey key: String) -> Data?
  func set(_ data: Data?, forKey key: String)
}

struct Upload: Equatable {
  var type: String
  var added: [UUID]
  var deleted: [UUID]
}

final class SyncEngine: @unchecked Sendable {
  static let batchSize = 25

  private let healthStore: HKHealthStore
  private let anchors: AnchorStorage
  private let upload: (Upload) -> Bool
  private var liveQueries: [HKSampleType: HKAnchoredObjectQuery] = [:]

  init(
    healthStore: HKHealthStore, anchors: AnchorStorage, upload: @escaping (Upload) -> Bool
  ) {
    self.healthStore = healthStore
    self.anchors = anchors
    self.upload = upload
  }

  private func anchor(for type: HKSampleType) -> HKQueryAnchor? {
    guard let data = anchors.data(forKey: type.identifier) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
  }

  private func setAnchor(_ anchor: HKQueryAnchor?, for type: HKSampleType) {
    guard let anchor else { return anchors.set(nil, forKey: type.identifier) }
    let data = try? NSKeyedArchiver.archivedData(
      withRootObject: anchor, requiringSecureCoding: true)
    anchors.set(data, forKey: type.identifier)
  }

  /// Repeats the query until it returns less than a batch.
  func sync(_ type: HKSampleType, completion: @escaping (Error?) -> Void) {
    let query = HKAnchoredObjectQuery(
      type: type, predicate: nil, anchor: anchor(for: type), limit: SyncEngine.batchSize
    ) { [weak self] _, samples, deleted, newAnchor, error in
      guard let self = self else { return }
      if let error = error { return completion(error) }
      let count = (samples?.count ?? 0) + (deleted?.count ?? 0)
      if count == 0 { return completion(nil) }
      guard self.send(type, samples, deleted) else { return completion(nil) }
      self.setAnchor(newAnchor, for: type)
      self.sync(type, completion: completion)
    }
    healthStore.execute(query)
  }

  func follow(_ type: HKSampleType) {
    let handler:
      @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, Error?
      ) -> Void = {
        [weak self] _, samples, deleted, anchor, error in
        guard error == nil, let self else { return }
        if self.send(type, samples, deleted) { self.setAnchor(anchor, for: type) }
      }
    let query = HKAnchoredObjectQuery(
      type: type, predicate: nil, anchor: anchor(for: type), limit: HKObjectQueryNoLimit,
      resultsHandler: handler)
    query.updateHandler = handler
    healthStore.execute(query)
    liveQueries[type] = query
  }

  func stop() {
    liveQueries.values.forEach(healthStore.stop)
    liveQueries.removeAll()
  }

  func changes(
    of types: [HKSampleType]
  ) async throws -> HKAnchoredObjectQueryDescriptor<HKSample>.Result {
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: types.map { .sample(type: $0) }, anchor: nil)
    return try await descriptor.result(for: healthStore)
  }

  private func send(
    _ type: HKSampleType, _ samples: [HKSample]?, _ deleted: [HKDeletedObject]?
  ) -> Bool {
    let change = Upload(
      type: type.identifier, added: (samples ?? []).map { $0.uuid },
      deleted: deleted?.map(\.uuid) ?? [])
    return change.added.isEmpty && change.deleted.isEmpty || upload(change)
  }
}
