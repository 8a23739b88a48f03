/// The properties of a category type.
struct CategoryTypeRow: Sendable {
  let identifier: HKCategoryTypeIdentifier

  /// The values that its samples support.
  let values: CategoryValueFamily

  init(_ identifier: HKCategoryTypeIdentifier, _ values: CategoryValueFamily) {
    self.identifier = identifier
    self.values = values
  }

  static var all: [CategoryTypeRow] { symptoms + reproductive + events }
}
