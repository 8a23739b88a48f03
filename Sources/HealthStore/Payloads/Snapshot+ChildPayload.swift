package import SampleLog

// Access to the payloads of rows and their child rows.
extension Snapshot {
  /// Returns the payloads of a row's children of one type, in the order of their numbers.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a child row cannot be read.
  /// - Complexity: Reads the child rows of that type of all parents with the same dates.
  package func payloads<Payload: ChildPayload>(
    _ type: Payload.Type, of parent: Row
  ) throws -> [Payload] {
    let name = ChildType.name(Payload.childType, of: symbols.text(parent.block.type))
    guard let symbol = symbols.find(name) else { return [] }
    let rows = try children(of: parent, type: symbol)
    return try rows.sorted { $0.value < $1.value }.map { try payload(type, of: $0) }
  }

  /// Returns the payload of a row's child row with the given type and number, or nil if there is
  /// none.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the child row cannot be read.
  /// - Complexity: One look-up by identifier.
  func payload<Payload: ChildPayload>(
    _ type: Payload.Type, number: UInt64, of parent: Row
  ) throws -> Payload? {
    let id = Identifier(childOf: parent.id, type: Payload.childType, number: number)
    return try row(id).map { try payload(type, of: $0) }
  }

  /// Returns the payload of a row.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row has no payload of that type.
  func payload<Payload: SamplePayload>(
    _ type: Payload.Type, of row: Row
  ) throws -> Payload {
    guard let payload = Payload(try extras(of: row)) else {
      throw damaged(row, "a payload that makes no sense")
    }
    return payload
  }
}
