export const metadata = {
  title: 'News | Sahm',
  description: 'News on the US and Saudi markets from the Sahm newsroom',
};

export default function Layout({ children }) {
  return (
    <html lang="en-US" dir="ltr">
      <body>{children}</body>
    </html>
  );
}
