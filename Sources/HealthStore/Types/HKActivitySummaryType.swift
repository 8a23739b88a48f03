/// The type of activity summaries.
open class HKActivitySummaryType: HKObjectType, @unchecked Sendable {}
