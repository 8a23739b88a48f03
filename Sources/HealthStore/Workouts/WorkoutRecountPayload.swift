import SampleLog

/// The payload of a workout's child row: invalidates the stored statistics of the workout because
/// one of its samples was deleted.
///
/// Readers then recompute statistics from the samples.
package struct WorkoutRecountPayload: ChildPayload {
  package static let kind: UInt64 = 22
  package static let childType = "recount"
  private static let version: UInt8 = 1

  package var encoded: [UInt8] { [Self.version] }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 1, bytes[0] == Self.version else { return nil }
  }

  init() {}

  /// Returns the identifier of a workout's marker row; there is at most one.
  static func identifier(of workout: Identifier) -> Identifier {
    Identifier(childOf: workout, type: childType, number: 0)
  }
}
