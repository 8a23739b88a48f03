import HealthStore
import SampleLog

/// The texts of SQL and Arrow, identical to those of `healthstore export --format jsonl`.
extension RowReader {
  /// Returns the short name of a type, or its identifier if this version does not know the type.
  func typeName(_ symbol: Symbol, _ symbols: SymbolTable) -> String {
    let identifier = symbols.text(symbol)
    return type(symbol) == nil ? identifier : HKSampleType.shortName(ofIdentifier: identifier)
  }

  /// Returns the name of a source, or nil if it is empty.
  func sourceName(_ symbol: Symbol) -> String? {
    let name = sourceRevision(symbol).source.name
    return name.isEmpty ? nil : name
  }

  /// Returns a device as a JSON object, or nil if the sample has no device.
  func deviceText(_ symbol: Symbol) -> String? {
    device(symbol).map { JSONObject(device: $0).text }
  }

  /// Returns the metadata of a row as a JSON object, or nil if the row has no metadata.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the metadata cannot be decoded.
  func metadataText(of row: Row, in snapshot: Snapshot) throws -> String? {
    if row.block.extras[row.row] == 0 { return nil }
    do {
      return try metadata(of: row).map { JSONObject(metadata: $0).text }
    } catch {
      // Programs that use the engine directly may store plain text, which is not metadata.
      let bytes = row.block.metadata(at: row.row)
      if bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return nil }
      throw snapshot.damaged(row, "metadata that makes no sense")
    }
  }

  /// Returns the name of a category value or of a workout's activity, or nil for other rows.
  func valueName(of row: Row, in snapshot: Snapshot) throws -> String? {
    switch type(of: row) {
    case let type as HKCategoryType:
      return Int(exactly: row.block.value[row.row]).flatMap {
        CategoryValueNames.name(of: $0, for: type)
      }
    case is HKWorkoutType:
      let workout = try StoredObjects(self, snapshot).sample(of: row) as? HKWorkout
      return workout?.workoutActivityType.exportName
    default: return nil
    }
  }
}
