import Foundation
import SampleLog

/// A sample that another store held before, on its way into this one with its own identifier.
///
/// What HealthKit asks of new samples is not asked again: it was true when they were new.
package struct ImportedSample {
  /// The identifier.
  package var uuid: UUID
  /// The identifier of its type, which need not be one that this version knows.
  package var type: String
  /// When it begins.
  package var start: Date
  /// When it ends; not before the start.
  package var end: Date
  /// The quantity in `unit`, or the category value.
  package var value: Double
  /// The quantity's unit; nil for anything else.
  package var unit: HKUnit?
  /// Who recorded it.
  package var sourceRevision: HKSourceRevision
  /// What recorded it.
  package var device: HKDevice?
  /// The metadata; its sync identifier and version decide what the sample replaces.
  package var metadata: [String: Any]
  /// What its family has beside these; nil for one of a family without.
  package var payload: (any SamplePayload)?
  /// What is saved with it as rows of its own.
  package var owned: [any OwnedPayload] = []
  /// Samples that are to belong to it, a workout, also if the store has it already; they must name
  /// it in `memberOf`.
  package var linked: [ImportedSample] = []
  /// Samples that rate the effort of it, a workout, or of an activity of it.
  package var efforts: [(sample: ImportedSample, activity: UUID?)] = []
  /// Whether it is a correlation, even one without members.
  package var isCorrelation = false
  /// The samples in a correlation.
  package var members: [Member] = []
  /// The correlations that it is in.
  package var memberOf: [UUID] = []

  /// A sample from its parts.
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
  /// The identity by which later versions replace it; nil if it has none.
  package var syncIdentity: SyncIdentity? {
    metadata.isEmpty ? nil : SyncIdentity(metadata, sourceRevision)
  }

  /// The reference to the sample in a correlation or workout that contains it.
  package var asMember: Member {
    Member(
      id: Identifier(uuid), type: type, syncIdentifier: syncIdentity?.identifier ?? [])
  }
}
