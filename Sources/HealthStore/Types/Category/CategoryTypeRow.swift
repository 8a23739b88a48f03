/// The properties of a category type.
struct CategoryTypeRow: Sendable {
  /// The type's identifier.
  let identifier: HKCategoryTypeIdentifier

  /// The values that its samples support.
  let values: CategoryValueFamily

  init(_ identifier: HKCategoryTypeIdentifier, _ values: CategoryValueFamily) {
    self.identifier = identifier
    self.values = values
  }

  /// All category types.
  static var all: [CategoryTypeRow] { symptoms + reproductive + events }
}
