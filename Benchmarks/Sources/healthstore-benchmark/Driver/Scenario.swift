/// One thing every peer is measured at, in the order in which they run.
enum Scenario: String, CaseIterable {
  case durable1 = "durable-1"
  case durable100 = "durable-100"
  case durable1000 = "durable-1000"
  case durable10000 = "durable-10000"
  case bulk
  case size
  case day
  case scan
  case newest
  case above
  case uuid
  case daily
  case delete
  case catchUp = "catch-up"
  case catchUpOfType = "catch-up-type"
  case poll
  case compactedSize = "compacted-size"
  case open

  /// What has happened to a store before the scenario starts.
  enum Preparation {
    case nothing, loaded, thinned
  }

  var preparation: Preparation {
    switch self {
    case .durable1, .durable100, .durable1000, .durable10000, .bulk: .nothing
    case .size, .day, .scan, .newest, .above, .uuid, .daily, .delete: .loaded
    case .catchUp, .catchUpOfType, .poll, .compactedSize, .open: .thinned
    }
  }

  /// What `--help` says.
  var summary: String {
    switch self {
    case .durable1: "1,500 samples into a fresh store, 1 a durable commit"
    case .durable100: "60,000 samples into a fresh store, 100 a durable commit"
    case .durable1000: "400,000 samples into a fresh store, 1,000 a durable commit"
    case .durable10000: "1,000,000 samples into a fresh store, 10,000 a durable commit"
    case .bulk: "all samples, 10,000 a commit, made durable at the end"
    case .size: "bytes on disk for a sample, as the bulk load leaves them"
    case .day: "200 random days of heart rate, sorted by start"
    case .scan: "every heart rate sample, sorted by start"
    case .newest: "the newest sample of a type, 2,000 times"
    case .above: "heart rate above 150 in the first year"
    case .uuid: "20,000 random samples by UUID"
    case .daily: "count, sum, minimum and maximum of heart rate by UTC day"
    case .delete: "one sample in 200 by UUID, 1,000 a durable commit"
    case .catchUp: "the changes since the last million samples began, 1,000 a batch"
    case .catchUpOfType: "the glucose changes from the very beginning, 1,000 a batch"
    case .poll: "asking for changes when there are none, 20,000 times"
    case .compactedSize: "bytes on disk for a sample, after deleting and compacting"
    case .open: "opening the store and reading the newest glucose sample"
    }
  }
}
