import CoreLocation
import Foundation
import Testing

@testable import AppleHealthExport

@Suite struct RouteFileTests {
  private static func point(_ latitude: String, _ rest: String = "") -> String {
    #"<trkpt lon="6.136161" lat="\#(latitude)">"#
      + "<ele>361.779541</ele><time>2019-10-04T10:16:32Z</time>\(rest)</trkpt>\n"
  }

  private static func file(_ points: String) -> RouteFile {
    RouteFile(
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Apple Health Export"
          xmlns="http://www.topografix.com/GPX/1/1">
          <metadata><time>2023-05-13T08:37:08Z</time></metadata>
          <trk><name>Route</name><trkseg>
        \(points)</trkseg></trk>
        </gpx>
        """.utf8))
  }

  @Test func `A point has every value in the file`() throws {
    let file = Self.file(
      Self.point(
        "48.653639",
        "<extensions><speed>3.553858</speed><course>45.047688</course><hAcc>3.503413</hAcc>"
          + "<vAcc>3.321610</vAcc></extensions>"))
    #expect(file.isComplete && file.brokenPoints == 0)
    let location = try #require(file.locations.first)
    #expect(file.locations.count == 1)
    #expect(location.coordinate.latitude == 48.653639)
    #expect(location.coordinate.longitude == 6.136161)
    #expect(location.altitude == 361.779541)
    #expect(location.timestamp == Date(timeIntervalSince1970: 1_570_184_192))
    #expect(location.speed == 3.553858)
    #expect(location.course == 45.047688)
    #expect(location.horizontalAccuracy == 3.503413)
    #expect(location.verticalAccuracy == 3.321610)
  }

  @Test func `A missing value is unknown and not taken from another point`() throws {
    let full = Self.point("1", "<extensions><speed>3</speed><course>4</course></extensions>")
    let bare = #"<trkpt lat="2" lon="3"><time>2019-10-04T10:16:33Z</time></trkpt>"#
    let location = try #require(Self.file(full + bare).locations.last)
    #expect(location.coordinate.latitude == 2)
    #expect(location.speed == -1 && location.course == -1)
    #expect(location.verticalAccuracy == -1, "no elevation")
  }

  @Test(arguments: [
    #"<trkpt lat="91" lon="3"><time>2019-10-04T10:16:33Z</time></trkpt>"#,
    #"<trkpt lat="nan" lon="3"><time>2019-10-04T10:16:33Z</time></trkpt>"#,
    #"<trkpt lon="3"><time>2019-10-04T10:16:33Z</time></trkpt>"#,
    #"<trkpt lat="1" lon="3"><time>yesterday</time></trkpt>"#,
    #"<trkpt lat="1" lon="3"/>"#,
    #"<trkpt lat="1" lon="3"><ele>1</ele>"#,
  ])
  func `An invalid point is counted, and the others are read`(point: String) {
    let file = Self.file(Self.point("1") + point + Self.point("2"))
    #expect(file.locations.map(\.coordinate.latitude) == [1, 2])
    #expect(file.brokenPoints == 1)
    #expect(file.isComplete)
  }

  @Test(arguments: ["ele", "speed", "course", "hAcc", "vAcc"], ["2,5", "nan", "", "fast"])
  func `An unreadable number is counted, and its point is kept`(
    name: String, text: String
  ) {
    let number = "<\(name)>\(text)</\(name)>"
    let file = Self.file(
      #"<trkpt lat="1" lon="3"><time>2019-10-04T10:16:33Z</time>\#(number)</trkpt>"#)
    #expect(file.locations.count == 1)
    #expect(file.brokenNumbers == 1 && file.brokenPoints == 0)
  }

  @Test func `Comments, other prefixes and quotes are skipped`() {
    let file = Self.file(
      "<!-- <trkpt lat=\"7\" lon=\"7\"> -->\n"
        + "<g:trkpt note='a > \"b\"' lat = '5' lon='6'><g:time>2019-10-04T10:16:33Z</g:time>"
        + "</g:trkpt>")
    #expect(file.locations.map(\.coordinate.latitude) == [5])
    #expect(file.brokenPoints == 0)
  }

  @Test func `A truncated file gives the points before the cut and reports it`() {
    let whole = Array(
      ("<gpx><trk>" + Self.point("1") + Self.point("2") + "</trk></gpx>").utf8)
    var counts: Set<Int> = []
    for length in 0..<whole.count {
      let file = RouteFile(Array(whole.prefix(length)))
      #expect(!file.isComplete)
      counts.insert(file.locations.count)
    }
    #expect(counts == [0, 1, 2])
    #expect(RouteFile(whole).isComplete)
  }
}
