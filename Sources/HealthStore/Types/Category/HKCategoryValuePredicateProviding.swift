/// A category value that predicates can match.
public protocol HKCategoryValuePredicateProviding: Hashable, RawRepresentable {}
