package dev.medley.store.object;

import java.io.InputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** A real S3 server on loopback with one bucket, which checks signatures. */
public final class S3Server implements AutoCloseable {
    public static final String BUCKET = "bucket";

    private static final String KEY = "key";
    private static final String SECRET = "secret";

    private final TransientNio2BlobStore blobs = new TransientNio2BlobStore();
    private final S3Proxy server;

    private S3Server(UnaryOperator<BlobStore> form) throws Exception {
        blobs.createContainer(BUCKET);
        server =
                S3Proxy.builder()
                        .blobStore(form.apply(blobs))
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(AuthenticationType.AWS_V4, KEY, SECRET)
                        .build();
        server.start();
    }

    /** Listens on any free port. */
    public static S3Server start() throws Exception {
        return new S3Server(blobs -> blobs);
    }

    /** One that puts an object in place of another although it is asked not to. */
    public static S3Server startWithoutConditions() throws Exception {
        return new S3Server(Unconditional::new);
    }

    private static final class Unconditional extends ForwardingBlobStore {
        private Unconditional(BlobStore blobs) {
            super(blobs);
        }

        @Override
        public PutObjectResponse putBlob(PutObjectRequest request, InputStream content) {
            return super.putBlob(request.toBuilder().ifNoneMatch(null).build(), content);
        }
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
