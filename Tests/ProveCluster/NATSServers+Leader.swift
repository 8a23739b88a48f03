import Foundation
import SampleLog
import SampleLogNATS

extension NATSServers {
  /// The server that leads a store's stream and the time of its election, from the servers' logs.
  func leader(of storeID: Identifier) throws -> (server: Int, since: Date)? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy/MM/dd HH:mm:ss.SSSSSS"
    let wanted = "cluster new stream leader for '$G > \(NATSStream.name(of: storeID))'"
    return try addresses.indices.compactMap { server -> (server: Int, since: Date)? in
      let line = try log(of: server).split(separator: "\n").last { $0.contains(wanted) }
      // The process identifier, then the time.
      let words = (line ?? "").split(separator: " ")
      guard words.count > 3, let date = format.date(from: words[1...2].joined(separator: " "))
      else { return nil }
      return (server, date)
    }.max { $0.since < $1.since }
  }
}
