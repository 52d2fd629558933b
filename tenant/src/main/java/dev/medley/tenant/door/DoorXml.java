package dev.medley.tenant.door;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Writes answers in the XML of S3. */
final class DoorXml {
    private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    private static final String SPACE = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private DoorXml() {}

    static String error(DoorFailure failure, String resource, String request) {
        return HEAD
                + "<Error>"
                + member("Code", failure.code())
                + member("Message", failure.said())
                + member("Resource", resource)
                + member("RequestId", request)
                + "</Error>";
    }

    static String buckets(String caller, String bucket, long madeMs) {
        return HEAD
                + "<ListAllMyBucketsResult"
                + SPACE
                + "><Owner>"
                + member("ID", caller)
                + "</Owner><Buckets><Bucket>"
                + member("Name", bucket)
                + member("CreationDate", TIME.format(Instant.ofEpochMilli(madeMs)))
                + "</Bucket></Buckets></ListAllMyBucketsResult>";
    }

    static String location() {
        return HEAD + "<LocationConstraint" + SPACE + "/>";
    }

    static String list(String bucket, ObjectPage page) {
        StringBuilder xml = new StringBuilder(HEAD);
        xml.append("<ListBucketResult").append(SPACE).append('>');
        xml.append(member("Name", bucket)).append(member("Prefix", page.shown(page.prefix())));
        if (!page.delimiter().isEmpty()) {
            xml.append(member("Delimiter", page.shown(page.delimiter())));
        }
        if (page.isUrlEncoded()) {
            xml.append(member("EncodingType", "url"));
        }
        xml.append(member("MaxKeys", "" + page.most()));
        xml.append(member("KeyCount", "" + (page.objects().size() + page.folders().size())));
        xml.append(member("IsTruncated", "" + !page.next().isEmpty()));
        if (!page.next().isEmpty()) {
            xml.append(member("NextContinuationToken", page.next()));
        }
        for (DoorExtract each : page.objects()) {
            xml.append("<Contents>")
                    .append(member("Key", page.shown(each.key())))
                    .append(
                            member(
                                    "LastModified",
                                    TIME.format(Instant.ofEpochMilli(each.madeMs()))))
                    .append(member("ETag", each.tag()))
                    .append(member("Size", "" + each.bytes()))
                    .append(member("StorageClass", "STANDARD"))
                    .append("</Contents>");
        }
        folders(xml, page, page.folders());
        return xml.append("</ListBucketResult>").toString();
    }

    private static void folders(StringBuilder xml, ObjectPage page, List<String> folders) {
        for (String folder : folders) {
            xml.append("<CommonPrefixes>")
                    .append(member("Prefix", page.shown(folder)))
                    .append("</CommonPrefixes>");
        }
    }

    private static String member(String name, String text) {
        StringBuilder xml = new StringBuilder(text.length() + 2 * name.length() + 5);
        xml.append('<').append(name).append('>');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '&' -> xml.append("&amp;");
                case '"' -> xml.append("&quot;");
                default -> xml.append(isAllowed(c) ? c : '?');
            }
        }
        return xml.append("</").append(name).append('>').toString();
    }

    /** By XML 1.0; half of a pair is none, and names of tables need no pairs. */
    private static boolean isAllowed(char c) {
        return c >= ' ' && !Character.isSurrogate(c) && c <= 0xFFFD;
    }
}
