/// What is known of one category type.
struct CategoryTypeRow: Sendable {
  /// The type's identifier.
  let identifier: HKCategoryTypeIdentifier

  /// The values its samples may have.
  let values: CategoryValueFamily

  init(_ identifier: HKCategoryTypeIdentifier, _ values: CategoryValueFamily) {
    self.identifier = identifier
    self.values = values
  }

  /// Every category type there is.
  static var all: [CategoryTypeRow] { symptoms + reproductive + events }
}
