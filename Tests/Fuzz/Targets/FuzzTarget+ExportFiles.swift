import AppleHealthExport
import CoreLocation
import Foundation

extension FuzzTarget {
  /// The files that accompany an export's document; the first byte selects the kind.
  static let exportFiles = FuzzTarget(name: "ExportFiles", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    if input.byte() % 2 == 0 {
      let file = RouteFile(Array(input.rest))
      for location in file.locations
      where !CLLocationCoordinate2DIsValid(location.coordinate) || !location.altitude.isFinite
        || !location.timestamp.timeIntervalSinceReferenceDate.isFinite
      {
        fail("a location of a route that is none")
      }
    } else if let file = ElectrocardiogramFile(Array(input.rest)) {
      guard file.samplingFrequency > 0, file.voltages.allSatisfy(\.isFinite), file.start <= file.end
      else { fail("an electrocardiogram that is none") }
      let isRising = Swift.zip(file.positions, file.positions.dropFirst()).allSatisfy { $0 < $1 }
      guard file.positions.count == file.voltages.count, isRising, file.positions[0] >= 0
      else { fail("voltages without times of their own") }
    }
  } seeds: {
    let route = """
      0<?xml version="1.0"?><gpx creator="Apple Health Export"><metadata><time>x</time></metadata>
      <trk><!-- one --><trkseg><trkpt lon="6.136161" lat="48.653639"><ele>361.779541</ele>
      <time>2019-10-04T10:16:32Z</time><extensions><speed>3.5</speed><course>45</course>
      <hAcc>3.5</hAcc><vAcc>3.3</vAcc></extensions></trkpt></trkseg></trk></gpx>
      """
    let recording = """
      1Name,Ada
      Date of Birth,"10 Dec 1815"
      Recorded Date,2019-04-01 12:21:03 -0700
      Classification,Sinus Rhythm
      Symptoms,
      Software Version,1.30
      Device,"Watch4,2"
      Sample Rate,512 hertz

      Lead,Lead I
      Unit,µV

      -3.272
      12,5
      0
      """
    return [Seed("route", Array(route.utf8)), Seed("recording", Array(recording.utf8))]
  }
}
