/// A category value that samples can be selected by.
public protocol HKCategoryValuePredicateProviding: Hashable, RawRepresentable {}
