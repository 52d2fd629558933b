package dev.medley.store.object;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/** A real S3 server on loopback with one bucket, which checks signatures. */
public final class S3Server implements AutoCloseable {
    public static final String BUCKET = "bucket";

    private static final String KEY = "key";
    private static final String SECRET = "secret";

    private final TransientNio2BlobStore blobs = new TransientNio2BlobStore();
    private final S3Proxy server;

    private S3Server() throws Exception {
        blobs.createContainer(BUCKET);
        server =
                S3Proxy.builder()
                        .blobStore(blobs)
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(AuthenticationType.AWS_V4, KEY, SECRET)
                        .build();
        server.start();
    }

    /** Listens on any free port. */
    public static S3Server start() throws Exception {
        return new S3Server();
    }

    /** What a client needs in its environment. */
    public Map<String, String> environment() {
        return new HashMap<>(
                Map.of(
                        "AWS_ACCESS_KEY_ID", KEY,
                        "AWS_SECRET_ACCESS_KEY", SECRET,
                        "AWS_ENDPOINT_URL", "http://127.0.0.1:" + server.getPort()));
    }

    /** Whether an object is there. */
    public boolean has(String name) {
        return blobs.blobExists(BUCKET, name);
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
