import Foundation
package import SampleLog

/// A sample on its way into a store: a new object, or a sample of another store under its existing
/// identifier.
///
/// HealthKit's checks for new samples are skipped for the latter, because it passed them in its
/// original store.
package struct IncomingSample {
  package var uuid: UUID
  /// The identifier of the sample's type, which may be unknown to this version.
  package var type: String
  package var start: Date
  /// The end date, not before the start.
  package var end: Date
  /// The quantity in `unit`, or the category value.
  package var value: Double
  /// The quantity's unit, or nil for other families.
  package var unit: HKUnit?
  /// The source revision that recorded the sample.
  package var sourceRevision: HKSourceRevision
  /// The device that recorded the sample.
  package var device: HKDevice?
  /// The metadata.
  ///
  /// Its sync identifier and version determine which stored sample it replaces.
  package var metadata: [String: Any]
  /// The type and the encoded metadata of an object whose fields are valid, or nil if adding the
  /// sample must check them.
  private(set) var checked: (type: TypeInfo, metadata: [UInt8])?
  /// The payload specific to the sample's family, or nil if the family has none.
  package var payload: (any SamplePayload)?
  /// The payloads of child rows that are saved with the sample.
  package var children: [any ChildPayload] = []
  /// The samples to link to this sample, which must be a workout.
  ///
  /// They are linked even if the store already has the workout, and must list it in `memberOf`.
  package var linked: [IncomingSample] = []
  /// The samples that rate the effort of this workout or of one of its activities.
  package var efforts: [(sample: IncomingSample, activity: UUID?)] = []
  /// The correlations that contain the sample.
  package var memberOf: [Identifier] = []

  package init(
    uuid: UUID, type: String, start: Date, end: Date, value: Double, unit: HKUnit?,
    sourceRevision: HKSourceRevision, device: HKDevice?, metadata: [String: Any]
  ) {
    self.uuid = uuid
    self.type = type
    self.start = start
    self.end = end
    self.value = value
    self.unit = unit
    self.sourceRevision = sourceRevision
    self.device = device
    self.metadata = metadata
  }

  /// Creates the sample of an object with valid fields, which gets a source revision if it has
  /// none.
  init(_ built: BuiltSample, revision: HKSourceRevision, checkedMetadata: [UInt8]) {
    let (type, revision) = (built.sampleType.info, built.sourceRevision ?? revision)
    self.init(
      uuid: built.uuid, type: type.identifier, start: built.startDate, end: built.endDate,
      value: built.quantity?.value ?? Double(built.categoryValue), unit: built.quantity?.unit,
      sourceRevision: revision, device: built.device, metadata: built.metadata ?? [:])
    checked = (type, checkedMetadata)
    if let contents = built.contents { (payload, children) = (contents.payload, contents.children) }
    if built.kind == .correlation {
      payload = CorrelationPayload(built.objects.map { Member($0, revision: revision) })
    }
  }
}

extension IncomingSample {
  /// The identity by which later versions replace the sample, or nil if it has none.
  package var syncIdentity: SyncIdentity? {
    metadata.isEmpty ? nil : SyncIdentity(metadata, sourceRevision)
  }

  /// The reference to the sample in a correlation or workout that contains it.
  package var asMember: Member {
    Member(
      id: Identifier(uuid), type: type, syncIdentifier: syncIdentity?.identifier ?? [])
  }
}

extension WorkoutLinksPayload {
  /// Creates links to imported samples.
  init(_ samples: [IncomingSample]) {
    self.init(samples.map { ($0.asMember, $0.start, $0.end) })
  }
}
