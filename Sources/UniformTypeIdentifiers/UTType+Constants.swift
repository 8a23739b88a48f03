// The known types.
extension UTType {
  /// The base type of file system items.
  public static let item = UTType(known: "public.item")
  /// The base type of content, such as documents.
  public static let content = UTType(known: "public.content")
  /// Content of several kinds, such as text with images.
  public static let compositeContent = UTType(known: "public.composite-content")
  /// The base type of byte streams.
  public static let data = UTType(known: "public.data")

  /// Text with or without markup.
  public static let text = UTType(known: "public.text")
  /// Text without markup, in any encoding.
  public static let plainText = UTType(known: "public.plain-text")
  /// Text without markup, in UTF-8.
  public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
  /// Rich text.
  public static let rtf = UTType(known: "public.rtf")
  /// HTML of any version.
  public static let html = UTType(known: "public.html")
  /// XML.
  public static let xml = UTType(known: "public.xml")
  /// JSON.
  public static let json = UTType(known: "public.json")
  /// Text with delimited values on each line.
  public static let delimitedText = UTType(known: "public.delimited-values-text")
  /// Text with comma-separated values on each line.
  public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
  /// PDF.
  public static let pdf = UTType(known: "com.adobe.pdf")

  /// Any image.
  public static let image = UTType(known: "public.image")
  /// A JPEG image.
  public static let jpeg = UTType(known: "public.jpeg")
  /// A PNG image.
  public static let png = UTType(known: "public.png")
  /// A TIFF image.
  public static let tiff = UTType(known: "public.tiff")
  /// A GIF image.
  public static let gif = UTType(known: "com.compuserve.gif")
  /// A Windows bitmap.
  public static let bmp = UTType(known: "com.microsoft.bmp")
  /// A WebP image.
  public static let webP = UTType(known: "org.webmproject.webp")
  /// An HEIC image.
  public static let heic = UTType(known: "public.heic")
  /// An HEIF image.
  public static let heif = UTType(known: "public.heif")
  /// An SVG image.
  public static let svg = UTType(known: "public.svg-image")

  /// A file that contains other files.
  public static let archive = UTType(known: "public.archive")
  /// A ZIP archive.
  public static let zip = UTType(known: "public.zip-archive")
  /// Audio, or video with or without audio.
  public static let audiovisualContent = UTType(known: "public.audiovisual-content")
  /// Audio.
  public static let audio = UTType(known: "public.audio")
  /// MP3 audio.
  public static let mp3 = UTType(known: "public.mp3")
  /// Video with audio.
  public static let movie = UTType(known: "public.movie")
  /// An MPEG-4 movie.
  public static let mpeg4Movie = UTType(known: "public.mpeg-4")
  /// A QuickTime movie.
  public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
}
