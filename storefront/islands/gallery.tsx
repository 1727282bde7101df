import type { Media } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import { useSite } from '../island.tsx';
import { Picture } from '../picture.tsx';
import { altOf, fill } from '../site.ts';

type GalleryProps = { images: Media[]; name: string };

export const GALLERY_SIZES = '(min-width: 76rem) 38rem, (min-width: 48rem) 52vw, 92vw';

/** The images of a product: one large, the others small below it. Without the script, all are links to the full size. */
export function Gallery({ images, name }: GalleryProps) {
  const { texts, ...site } = useSite();
  const [index, setIndex] = useState(0);
  const shown = images[index] ?? images[0];
  const zoomed = useRef<HTMLDialogElement>(null);
  const [isMagnified, setMagnified] = useState(false);
  return (
    <div class="gallery">
      <a
        href={shown?.url}
        class="zoom"
        aria-label={shown && texts.catalog.zoom}
        onClick={(event) => {
          event.preventDefault();
          zoomed.current?.showModal();
        }}
      >
        <Picture media={shown} alt={shown ? altOf(shown, site, name) : ''} sizes={GALLERY_SIZES} isFirst />
      </a>
      {shown && (
        <dialog ref={zoomed} class="zoomed" aria-label={texts.catalog.zoom} onClose={() => setMagnified(false)}>
          <div>
            <button
              type="button"
              class="magnify"
              aria-label={texts.catalog.zoom}
              aria-pressed={isMagnified}
              onClick={() => setMagnified(!isMagnified)}
            >
              <img src={shown.resolutions?.large?.url ?? shown.url} alt={altOf(shown, site, name)} loading="lazy" />
            </button>
          </div>
          <button type="button" class="close" onClick={() => zoomed.current?.close()}>
            {texts.catalog.close}
          </button>
        </dialog>
      )}
      {images.length > 1 && (
        <ul>
          {images.map((image, i) => (
            <li key={image.id}>
              <a
                href={image.url}
                aria-label={fill(texts.product.image, { number: i + 1 })}
                aria-current={i === index ? 'true' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  setIndex(i);
                }}
              >
                <img
                  src={image.resolutions?.thumbnail?.url ?? image.url}
                  alt=""
                  width="80"
                  height="80"
                  loading="lazy"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
