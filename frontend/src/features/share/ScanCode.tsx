import { useMessages } from '~/lib/messages/messages';
import { QrCode } from '~/ui/qr/QrCode';

/** WeChat takes no address: its reader scans one. */
export function ScanCode({ url }: { url: string }) {
  const t = useMessages('share');
  return (
    <QrCode text={url} label={t('scan.label')} caption={t('scan')}>
      {null}
    </QrCode>
  );
}
