import Foundation
import SampleLog

/// A sample that is imported from another store under its existing identifier.
///
/// HealthKit's checks for new samples are skipped, because the sample passed them in its original
/// store.
package struct ImportedSample {
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
  /// The payload specific to the sample's family, or nil if the family has none.
  package var payload: (any SamplePayload)?
  /// The payloads of child rows that are saved with the sample.
  package var children: [any ChildPayload] = []
  /// The samples to link to this sample, which must be a workout.
  ///
  /// They are linked even if the store already has the workout, and must list it in `memberOf`.
  package var linked: [ImportedSample] = []
  /// The samples that rate the effort of this workout or of one of its activities.
  package var efforts: [(sample: ImportedSample, activity: UUID?)] = []
  /// Whether the sample is a correlation, even one without members.
  package var isCorrelation = false
  /// The members, if the sample is a correlation.
  package var members: [Member] = []
  /// The correlations that contain the sample.
  package var memberOf: [UUID] = []

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
}

extension ImportedSample {
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
  init(_ samples: [ImportedSample]) {
    self.init(samples.map { ($0.asMember, $0.start, $0.end) })
  }
}
